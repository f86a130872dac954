import type { CampaignRulesetReport } from '@guildhall/client'
import { useCampaign } from '../../data/acting.ts'
import { hrefOf } from '../../router.ts'
import { faultText } from '../../rules/sheet-faults.tsx'
import { text as all } from './text.ts'

const text = all.report
/** The report comes without the document, so that names stand for labels. */
const NO_LABELS = { groups: {}, traits: {} }

/** Shows the effect of a version on the characters of the campaign: how many sheets are carried over, and who breaks which rule. */
export function Report({ of: { characters, changed, unfit, faults } }: { of: CampaignRulesetReport }) {
  const { path } = useCampaign()
  return (
    <section class="ruleset-report" aria-label={text.title}>
      <h3>{text.title}</h3>
      <p>
        {text.characters(characters)} {changed > 0 && text.changed(changed)} {unfit > 0 ? text.unfit(unfit) : characters > 0 && text.fit}
      </p>
      {faults.length > 0 && (
        <ul class="rows">
          {faults.map(({ character_id, name, faults: broken }) => (
            <li key={character_id} class="row">
              <a href={hrefOf(`${path}/characters/${character_id}`)}>{name}</a>
              <ul class="error">
                {broken.map((fault) => (
                  <li key={fault.field + fault.message}>{faultText(NO_LABELS, fault)}</li>
                ))}
              </ul>
            </li>
          ))}
        </ul>
      )}
      {unfit > faults.length && <p class="quiet">{text.more(unfit - faults.length)}</p>}
    </section>
  )
}
