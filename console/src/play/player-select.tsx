import { useActing, useCampaign } from '../data/acting.ts'
import { useLoad } from '../data/load.ts'
import { Select } from '../ui/field.tsx'

interface PlayerSelectProps {
  label: string
  value: string
  onChange: (userId: string) => void
  error?: string | undefined
}

/** The most users that are offered besides the members of the campaign. */
const MAX_OFFERED = 500

/** A choice of a user: members of the campaign first, then everyone else in the company, who becomes a member. */
export function PlayerSelect({ label, value, onChange, error }: PlayerSelectProps) {
  const { user, company, companyApi } = useActing()
  const { members } = useCampaign()
  const users = useLoad((signal) => companyApi.users.list({ sort: 'name' }, { signal, onBehalfOf: user.id }).all(MAX_OFFERED), [company.id])
  const names = new Map(members.map(({ user_id, name }) => [user_id, name]))
  for (const { id, name } of users.data ?? []) if (!names.has(id)) names.set(id, name)
  if (!names.has(user.id)) names.set(user.id, user.name)
  return <Select label={label} value={value} options={[...names]} onChange={onChange} error={error} />
}
