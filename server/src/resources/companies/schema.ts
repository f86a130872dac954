import { type Static, Type } from '@guildhall/rules/type'
import { applicationFields, applicationPatch, archivable, Email, Enum, Id, Name, Nullable, Text } from '../../core/fields.ts'

const name = Name('Company name', 'Blackwood Games')

const settings = {
  campaign_creation: Enum(
    'CampaignCreation',
    ['ANYONE', 'STORYTELLER'],
    'The users who may create campaigns: all (ANYONE, the default), or only STORYTELLERs and ADMINs (STORYTELLER)',
  ),
  default_user_role: Enum(
    'DefaultUserRole',
    ['PLAYER', 'STORYTELLER'],
    'The role of users that `PUT .../users/by-external-id/{external_id}` creates without a role (default: PLAYER). With STORYTELLER everyone can run a campaign',
  ),
}
/** Companies of earlier versions lack `default_user_role`, so the serializer fills it in. */
const shownSettings = { ...settings, default_user_role: { ...settings.default_user_role, default: 'PLAYER' as const } }
const Settings = Type.Object(shownSettings, {
  title: 'CompanySettings',
  description: 'Settings that apply to all campaigns of the company',
})
export const DEFAULT_SETTINGS: Static<typeof Settings> = { campaign_creation: 'ANYONE', default_user_role: 'PLAYER' }

/** The fields that a client may write. */
const writable = {
  name,
  description: Nullable(Text(10_000, 'What the company is about', 'Gothic chronicles in Chicago')),
  email: Nullable(Email('Email address of the company')),
  settings: Type.Partial(Type.Object(settings), { title: 'CompanySettingsPatch', additionalProperties: false }),
  ...applicationFields('company', false),
}

export const Company = Type.Object(
  { id: Id('Company identifier'), ...writable, settings: Settings, ...archivable },
  { title: 'Company', description: 'A tenant. It owns its users, its campaigns and everything in them' },
)
export type Company = Static<typeof Company>

export const CompanyPatch = Type.Partial(Type.Object({ ...writable, ...applicationPatch }), { title: 'CompanyPatch' })
export const CompanyCreate = Type.Object({ ...Type.Partial(Type.Object(writable)).properties, name }, { title: 'CompanyCreate' })
