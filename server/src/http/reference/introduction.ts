/** The first page of the API reference. */
export const INTRODUCTION = `
A multi-tenant REST API for building applications for role-playing games.

**Authentication.** Send your API key as \`X-API-KEY\`, or as \`Authorization: Bearer glh_...\`. Never put it in a web page or an app: issue
a token for the user (\`POST .../users/{user_id}/tokens\`), which they send as \`Authorization: Bearer glu_...\`. It acts as this user only. Bodies and replies are JSON. Everything in a company is below its path; your
key's permission there (USER, ADMIN, OWNER) decides what it may do.

**Acting users.** To act for a person, name them: below \`.../users/{user_id}/\` the path names the user, elsewhere in a company the header
\`On-Behalf-Of\` does. The user's role (PLAYER, STORYTELLER, ADMIN) then decides what is read and played, however the user is named and
whichever key is used. Administering (users, roles, settings, grants, the audit log) also requires the permission of the key.

**Retries.** Send an \`Idempotency-Key\` with a POST, PUT or PATCH that you may have to repeat. For one hour the same key and body get the
first reply again, byte for byte, with \`Idempotent-Replayed: true\`, if you may still do the same. A key is valid for one path and one
acting user. DELETE needs none: repeating it does no harm.

**Lists** are \`{items, limit, offset, total, next_cursor}\`; the \`Link\` header has the paths of the first, previous, next and last page. To
read every page, send \`next_cursor\` as \`after\` until it is null: no item that stays in its place is repeated or skipped while others write. A
page and its \`total\` come from one snapshot; two pages do not, so a walk by \`offset\` can miss and repeat items. Lists cut texts after 1,000 characters and leave out the dice of rolls of more than 100 dice; \`truncated\` is then true, and
the single resource has everything. No response exceeds 8 MB.

**Changes.** PATCH is a JSON Merge Patch: absent fields stay, null clears. A reply's \`ETag\` begins with the version; send it back as
\`If-Match\` with PATCH, PUT or DELETE to change only the version you have seen, and get 412 if it has changed. DELETE archives a
resource, and \`.../restore\` brings it back for 30 days; API keys, user tokens, grants and members are removed outright.

**Secrets.** A resource that a user may not see, such as a hidden NPC or another user's note, does not exist for them: it is 404, and absent from
lists, totals, counts, includes and search.

**Errors** are problem details (RFC 9457): \`status\`, \`title\`, \`detail\` and \`instance\`, a stable \`code\` for programs, the
\`request_id\` for support, and \`invalid_parameters\` where fields are at fault. 429 and 503 come with \`Retry-After\`, except
\`outcome_unknown\`.

**Rate limits** of a developer, or of the user of a token, are stated in every response, in \`RateLimit-Policy\` and \`RateLimit\`.
`.trim()
