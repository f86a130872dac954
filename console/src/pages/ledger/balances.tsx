import { Badge } from '../../ui/marks.tsx'
import type { Owner } from './owners.ts'
import { text } from './text.ts'

/** The balance of everybody in the campaign. */
export function Balances({ owners, isPerUser }: { owners: Owner[]; isPerUser: boolean }) {
  if (!owners.length) return <p class="quiet">{isPerUser ? text.noPlayers : text.noCharacters}</p>
  return (
    <div class="rows">
      <table class="data balances">
        <thead>
          <tr>
            <th scope="col">{isPerUser ? text.ofPlayer : text.ofCharacter}</th>
            <th scope="col" class="number">
              {text.earned}
            </th>
            <th scope="col" class="number">
              {text.spent}
            </th>
            <th scope="col" class="number">
              {text.available}
            </th>
          </tr>
        </thead>
        <tbody>
          {owners.map(({ id, name, isOwn, earned, spent, available }) => (
            <tr key={id} data-owner={id}>
              <th scope="row">
                {name} {isOwn && <Badge tone="accent">{text.you}</Badge>}
              </th>
              <td class="number">{earned}</td>
              <td class="number">{spent}</td>
              <td class="number available">{available}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
