import { Paged, PagedByOffset } from '../../core/page.ts'
import { operation, resource } from '../../http/operation.ts'
import { below } from '../../http/path.ts'
import { ruleset } from '../rulesets/path-resource.ts'
import { mayWriteRules } from '../rulesets/rules.ts'
import { AnyDocument, MAX_VERSIONS } from '../rulesets/schema.ts'
import { documentFile } from './export.ts'
import { createDraft, getDocument, getVersion, listVersions, publishVersion, removeDraft, replaceDraft, retireVersion } from './queries.ts'
import { listTerms, schemaOf } from './reading.ts'
import { CharacterSchema, DocumentBody, RulesetVersion, VersionsQuery } from './schema.ts'
import { RulesetTerm, TermsQuery } from './terms-schema.ts'

const all = below(ruleset.path, 'versions')
const one = below(all, '{version_id}')
const writing = { key: 'USER', may: mayWriteRules } as const
const published = { version_published: 'A published version never changes' }
const faulty = { ruleset_faulty: 'The version is a draft that has faults' }
const tooMany = { too_many_versions: `The ruleset already has ${MAX_VERSIONS} versions` }

type InRuleset = { company_id: string; ruleset_id: string }
const inRuleset = ({ company_id, ruleset_id }: InRuleset) => ({ company_id, ruleset_id })
const scopeOf = (params: InRuleset & { version_id: string }) => ({ ...inRuleset(params), id: params.version_id })

export const rulesetVersions = resource(
  { 'Ruleset versions': 'The drafts and the published versions of a ruleset, with their documents' },
  [
    operation({
      id: 'rulesetVersions.list',
      method: 'GET',
      path: all,
      needs: { key: 'USER' },
      summary: 'List the versions of a ruleset',
      query: VersionsQuery,
      reply: [200, Paged(RulesetVersion)],
      run: ({ db, params, query }) => listVersions(db, inRuleset(params), query),
    }),
    operation({
      id: 'rulesetVersions.create',
      method: 'POST',
      path: all,
      needs: writing,
      summary: 'Start the next version of a ruleset',
      description: 'Imports a document as a draft. A ruleset has one draft at a time. It may have faults; it cannot be published then.',
      body: DocumentBody,
      reply: [201, RulesetVersion],
      emits: ['ruleset_version.created', 'ruleset.updated'],
      conflicts: { draft_exists: 'The ruleset already has a draft', ...tooMany },
      run: ({ db, params, body }) => createDraft(db, inRuleset(params), body.document),
    }),
    operation({
      id: 'rulesetVersions.get',
      method: 'GET',
      path: one,
      needs: { key: 'USER' },
      summary: 'Get a version of a ruleset',
      reply: [200, RulesetVersion],
      run: ({ db, params }) => getVersion(db, scopeOf(params)),
    }),
    operation({
      id: 'rulesetVersions.replace',
      method: 'PUT',
      path: one,
      needs: writing,
      summary: 'Replace the document of a draft',
      replaces: true,
      body: DocumentBody,
      reply: [200, RulesetVersion],
      emits: ['ruleset_version.updated'],
      conflicts: published,
      run: ({ db, params, body }) => replaceDraft(db, scopeOf(params), body.document),
    }),
    operation({
      id: 'rulesetVersions.delete',
      method: 'DELETE',
      path: one,
      needs: writing,
      summary: 'Delete a draft',
      description: 'The draft is removed for good.',
      reply: [204],
      emits: ['ruleset_version.deleted', 'ruleset.updated'],
      conflicts: published,
      run: ({ db, params }) => removeDraft(db, scopeOf(params)),
    }),
    operation({
      id: 'rulesetVersions.getDocument',
      method: 'GET',
      path: below(one, 'document'),
      needs: { key: 'USER' },
      summary: 'Export the document of a version',
      description:
        'The document as it was imported: the same values in the same order, and the same bytes each time. Import it elsewhere with a POST to `versions`, or to `rulesets`.',
      reply: [200, AnyDocument],
      file: documentFile,
      run: ({ db, params }) => getDocument(db, scopeOf(params)),
    }),
    operation({
      id: 'rulesetVersions.getSchema',
      method: 'GET',
      path: below(one, 'schema'),
      needs: { key: 'USER' },
      summary: 'Get a JSON Schema of the characters of a version',
      description: 'The ranges of traits, the options of choices and the levels of conditions, for forms, bots and tests.',
      reply: [200, CharacterSchema],
      conflicts: faulty,
      run: ({ db, params }) => schemaOf(db, scopeOf(params)),
    }),
    operation({
      id: 'rulesetVersions.listTerms',
      method: 'GET',
      path: below(one, 'terms'),
      needs: { key: 'USER' },
      summary: 'Search the glossary of a version',
      description: 'The terms of the document, and everything in it that has a label.',
      query: TermsQuery,
      reply: [200, PagedByOffset(RulesetTerm)],
      conflicts: faulty,
      run: ({ db, params, query }) => listTerms(db, scopeOf(params), query),
    }),
    operation({
      id: 'rulesetVersions.publish',
      method: 'POST',
      path: below(one, 'publish'),
      needs: writing,
      summary: 'Publish a draft',
      description: 'Checks the document and its examples once more, and gives it the next number. From then on it never changes.',
      reply: [200, RulesetVersion],
      emits: ['ruleset_version.published', 'ruleset.updated'],
      conflicts: { ...published, ...tooMany, ruleset_faulty: 'The document has faults, or one of its examples does not hold' },
      run: ({ db, params }) => publishVersion(db, scopeOf(params)),
    }),
    operation({
      id: 'rulesetVersions.retire',
      method: 'POST',
      path: below(one, 'retire'),
      needs: writing,
      summary: 'Retire a published version',
      description: 'No campaign can choose it any more. Campaigns that use it keep it.',
      reply: [200, RulesetVersion],
      emits: ['ruleset_version.retired', 'ruleset.updated'],
      conflicts: { not_published: 'The version is a draft' },
      run: ({ db, params }) => retireVersion(db, scopeOf(params)),
    }),
  ],
)
