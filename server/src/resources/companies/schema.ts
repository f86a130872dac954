import { type Static, Type } from 'typebox'
import { archivable, Email, Enum, Id, Name, Nullable, Text } from '../../core/fields.ts'

const name = Name('Company name', 'Blackwood Games')

const settings = {
  campaign_creation: Enum(
    'CampaignCreation',
    ['ANYONE', 'STORYTELLER'],
    'Who may create campaigns: every user, or storytellers and admins',
  ),
}
const Settings = Type.Object(settings, { title: 'CompanySettings', description: 'What the company decides for its games' })
export const DEFAULT_SETTINGS: Static<typeof Settings> = { campaign_creation: 'ANYONE' }

/** What a client may write. */
const writable = {
  name,
  description: Nullable(Text(10_000, 'What the company is about', 'Gothic chronicles in Chicago')),
  email: Nullable(Email('Where the company is reached')),
  settings: Type.Partial(Type.Object(settings), { title: 'CompanySettingsPatch', additionalProperties: false }),
}

export const Company = Type.Object(
  { id: Id('Company identifier'), ...writable, settings: Settings, ...archivable },
  { title: 'Company', description: 'The tenant: it owns its users, campaigns and everything of them' },
)
export type Company = Static<typeof Company>

export const CompanyPatch = Type.Partial(Type.Object(writable), { title: 'CompanyPatch' })
export const CompanyCreate = Type.Object({ ...CompanyPatch.properties, name }, { title: 'CompanyCreate' })
