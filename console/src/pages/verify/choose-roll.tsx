import { useActing, useCampaign } from '../../data/acting.ts'
import { curl } from '../../data/curl.ts'
import { useLiveList } from '../../data/live-list.ts'
import { Roll } from '../../play/roll.tsx'
import { hrefOf } from '../../router.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Empty, Section, Show } from '../../ui/page.tsx'
import { usePeople } from '../dice/people.ts'
import { text } from './text.ts'

const MAX_ROLLS = 20

/** The latest rolls of the campaign that have a proof, each as a link to its verification. */
export function ChooseRoll() {
  const { api, user, path: userPath } = useActing()
  const { campaign, path } = useCampaign()
  const people = usePeople()
  const rolls = useLiveList(
    {
      load: async (signal) =>
        (await api.diceRolls.list({ campaign_id: campaign.id, sort: '-date_created', limit: MAX_ROLLS }, { signal })).items,
      type: 'dice_roll',
      accepts: ({ campaign_id }) => campaign_id === campaign.id,
      compare: (a, b) => Date.parse(b.date_created) - Date.parse(a.date_created) || (a.id < b.id ? 1 : -1),
      max: MAX_ROLLS,
    },
    [user.id, campaign.id],
  )
  return (
    <Section title={text.choose} actions={<a href={hrefOf(`${path}/dice`)}>{text.allRolls}</a>}>
      <Show of={rolls}>
        {(all) => {
          const proven = all.filter(({ source }) => source === 'SERVER')
          if (!proven.length)
            return (
              <Empty
                title={text.noRolls}
                action={<ButtonLink href={hrefOf(path)}>{text.toTable}</ButtonLink>}
                call={curl('POST', `${userPath}/dice-rolls`, { notation: '2d6', campaign_id: campaign.id })}
              >
                {text.noRollsText}
              </Empty>
            )
          return (
            <ul class="rolls">
              {proven.map((roll) => (
                <li key={roll.id}>
                  <Roll
                    roll={roll}
                    roller={people.nameOf(roll)}
                    time="relative"
                    actions={
                      <a class="button" href={hrefOf(`${path}/dice/verify/${roll.id}`)} aria-label={text.verifyOne(roll.text)}>
                        <Icon name="seal" />
                        <span>{text.verify}</span>
                      </a>
                    }
                  />
                </li>
              ))}
            </ul>
          )
        }}
      </Show>
    </Section>
  )
}
