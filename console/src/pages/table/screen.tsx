import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { useCampaign } from '../../data/acting.ts'
import { hrefOf } from '../../router.ts'
import { useAction } from '../../ui/action.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Initials } from '../../ui/marks.tsx'
import { Section } from '../../ui/page.tsx'
import { text } from './text.ts'
import type { TableCharacter } from './use-characters.ts'

/** The card for storytellers only: the secret clocks, and the characters who have not appeared yet. */
export function Screen({ characters, children }: { characters: readonly TableCharacter[]; children: ComponentChildren }) {
  const { api, path } = useCampaign()
  const [revealed, setRevealed] = useState<TableCharacter>()
  const reveal = useAction(async ({ id }: TableCharacter) => {
    await api.characters.update(id, { visibility: 'OPEN' })
    setRevealed(undefined)
  })
  return (
    <Section title={text.screen.title} class="table-part screen-part" actions={<Icon name="secret" />}>
      {children}
      <p class="hint">
        <b>{text.screen.who}</b> {text.screen.text}
      </p>
      {characters.length > 0 && (
        <ul class="unseen-characters">
          {characters.map((character) => (
            <li key={character.id}>
              <Initials name={character.name} />
              <a href={hrefOf(`${path}/characters/${character.id}`)}>{character.name}</a>
              <Button aria-label={text.screen.revealOne(character.name)} onClick={() => setRevealed(character)}>
                {text.screen.reveal}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {revealed && (
        <Confirm
          title={text.screen.revealTitle(revealed.name)}
          action={text.screen.reveal}
          look="primary"
          busy={reveal.busy}
          onConfirm={() => reveal.run(revealed)}
          onClose={() => setRevealed(undefined)}
        >
          <p>{text.screen.revealText}</p>
        </Confirm>
      )}
    </Section>
  )
}
