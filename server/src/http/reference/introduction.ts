/** The first page of the API reference. */
export const INTRODUCTION = `
A multi-tenant REST API on which others build applications for role-playing games.

**Calling.** Send your API key as \`X-API-KEY\`. Bodies and replies are JSON. Everything of a company lies below its path; what a
key may do there is its permission (USER, ADMIN, OWNER). To act for a person, name them: below \`/users/{user_id}/\` the path
does, elsewhere in a company the header \`On-Behalf-Of\`. Their role (PLAYER, STORYTELLER, ADMIN) then decides what they read and
play, whichever way and with whichever key they are named. Administering (users, roles, settings, grants, the audit log) also requires
the permission of the key.

**Retrying.** Send an \`Idempotency-Key\` with a POST, PUT or PATCH that you may have to repeat. The same key and body get the
first reply again for one hour, byte for byte, with \`Idempotent-Replayed: true\`. A key counts for one path and one
acting user. DELETE needs none: repeating it does no harm.

**Lists** are \`{items, limit, offset, total}\`; the \`Link\` header has the paths of the first, previous, next and last page. A page
and its \`total\` come from one snapshot; two pages do not. While others write, a walk by \`offset\` can miss a row that is committed
late with an earlier id or that moved when others were deleted, and can return a row twice. If you need every row, walk the list again until a walk finds nothing new.
Lists cut texts after 1,000 characters and leave out the dice of rolls of more than 100; \`truncated\` says so, and the resource itself has all
of it. No response exceeds 8 MB.

**Changing.** PATCH is a JSON Merge Patch: what it does not name stays, null clears. A reply's \`ETag\` begins with the version;
send it back as \`If-Match\` with PATCH, PUT or DELETE to change only what you have seen, and get 412 if somebody was faster. DELETE archives, \`/restore\`
brings back for 30 days; API keys, grants and members are removed outright.

**Secrets.** What a user may not see, a hidden NPC or a note for others, does not exist for them: 404, and absent from lists,
totals, counts, includes and search.

**Errors** are problem details (RFC 9457): \`status\`, \`title\`, \`detail\` and \`instance\`, a stable \`code\` for programs, the
\`request_id\` for questions, and \`invalid_parameters\` where fields are at fault. 429 and 503 come with \`Retry-After\`.

**Limits** are told in every response, in \`RateLimit-Policy\` and \`RateLimit\`.
`.trim()
