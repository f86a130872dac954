import { type Static, Type } from '@guildhall/rules/type'
import { alternatives, archivable, Id, Int, Name, Nullable, Text, Unset } from '../../core/fields.ts'
import { PackId } from '../packs/schema.ts'

export const MAX_RULESETS = 200
export const MAX_VERSIONS = 1000
/** That of the largest body that is accepted. */
export const MAX_DOCUMENT_BYTES = 262_144

/** A document as a client sends it. It is checked by rules of its own, so that a draft can be stored while it has faults. */
export const AnyDocument = Type.Unsafe<Record<string, unknown>>({
  title: 'RulesetDocument',
  type: 'object',
  'x-max-bytes': MAX_DOCUMENT_BYTES,
  additionalProperties: true,
  description: 'A game as data. Its format is that of `/ruleset.schema.json`',
  examples: [
    {
      format: 1,
      name: 'Six-sided',
      source: { license: 'CC0-1.0', attribution: null, url: null, changes: null },
      groups: { stats: { label: 'Stats', min: -1, max: 3 } },
      traits: { nerve: { label: 'Nerve', group: 'stats' } },
    },
  ],
})

const name = Name('Name of the ruleset', 'Kingsport house rules')
const description = Nullable(Text(2000, 'What the ruleset is for', 'The d10 pool, with sanity'))

export const Ruleset = Type.Object(
  {
    id: Id('Ruleset identifier'),
    company_id: Id('Owning company'),
    name,
    description,
    published_version_id: Nullable(Id('The newest version that is published and not retired; null if there is none')),
    draft_version_id: Unset(Id('The draft of the next version; null if there is none')),
    versions: Int(0, MAX_VERSIONS, 'Number of versions that were published', 1),
    ...archivable,
  },
  { title: 'Ruleset', description: 'A game as data, in versions that never change once they are published' },
)
export type Ruleset = Static<typeof Ruleset>

const VERSION_SHOWN = 'of the published version, or of the draft if none is published'

/** A ruleset in a list, with what a reader chooses by. */
export const ListedRuleset = Type.Object(
  {
    ...Ruleset.properties,
    number: Nullable(Int(1, MAX_VERSIONS, 'Number of the published version; null if there is none', 1)),
    game: Nullable(Text(100, `Name of the game ${VERSION_SHOWN}; null if the draft does not say`, 'Neutral d10 pool')),
    license: Nullable(Text(64, `License ${VERSION_SHOWN}; null if the draft does not say`, 'CC0-1.0')),
  },
  { title: 'Ruleset', description: 'A ruleset in a list, with facts of its version' },
)
export type ListedRuleset = Static<typeof ListedRuleset>

export const RulesetCreate = Type.Object(
  {
    name: Type.Optional(Type.Unsafe<string>({ ...name, description: 'Name of the ruleset. Default: the name of the game' })),
    description: Type.Optional(description),
    pack: Type.Optional(PackId('A game that the service brings. Its copy is published at once')),
    document: Type.Optional(AnyDocument),
    copy_of: Type.Optional(Id('A version of a ruleset of this company, whose document becomes the draft')),
  },
  {
    title: 'RulesetCreate',
    examples: [{ pack: 'd10-pool', name: 'Kingsport house rules' }],
    ...alternatives({
      Pack: { requires: ['pack'] },
      Document: { requires: ['document'] },
      Copy: { requires: ['copy_of'] },
    }),
  },
)
export type RulesetCreate = Static<typeof RulesetCreate>

export const RulesetPatch = Type.Partial(Type.Object({ name, description }), { title: 'RulesetPatch' })
export type RulesetPatch = Static<typeof RulesetPatch>
