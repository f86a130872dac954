import type { Holder } from '../../core/shares/holder.ts'
import type { SessionState } from '../request/session-state.ts'

/** The holder for whom the stream or the waiting request of a known caller takes a share of the process. A user token takes from the developer whose key issued it. */
export const shareHolderOf = ({ caller, target }: Pick<SessionState, 'caller' | 'target'>): Holder => [
  caller.developer.id,
  target.company_id ?? '',
]
