import type { GeneratedCharacters } from '@guildhall/client'
import { useEffect, useRef } from 'preact/hooks'
import { useCampaign } from '../../data/acting.ts'
import { hrefOf } from '../../router.ts'
import { labelIn } from '../../rules/document.ts'
import { RulesetSheet } from '../../rules/ruleset-sheet.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { type CreationDocument, withoutRolls } from './document.ts'
import { text as all } from './text.ts'

const text = all.generate

interface GeneratedProps {
  result: GeneratedCharacters & { isPreview: boolean }
  document: CreationDocument
}

/** Generated characters with their sheets, and with links once they are created. */
export function Generated({ result: { items, sheets, isPreview }, document }: GeneratedProps) {
  const { path } = useCampaign()
  const heading = useRef<HTMLHeadingElement>(null)
  // On a small screen the characters are below the form. The focus stays on the button, which can be pressed again.
  useEffect(() => {
    const { top = 0 } = heading.current?.getBoundingClientRect() ?? {}
    if (top < 0 || top > innerHeight * 0.75) heading.current?.scrollIntoView({ block: 'start' })
  }, [sheets])
  const title = isPreview ? text.previewTitle : text.createdTitle
  return (
    <section class="generated" aria-label={title}>
      <div role="status">
        <h2 ref={heading}>{title}</h2>
        {isPreview && <p class="hint">{text.previewHint}</p>}
      </div>
      <ul>
        {sheets.map(({ name, sheet }, index) => {
          const character = items[index]
          const chosen = Object.entries(sheet.choices).map(([slot, option]) => labelIn(document.choices?.[slot]?.options, option))
          return (
            <li key={character?.id ?? index} class="card">
              <details open={sheets.length === 1}>
                <summary>
                  <strong>{name}</strong> {chosen.length > 0 && <span class="quiet">{chosen.join(', ')}</span>}
                </summary>
                <RulesetSheet document={withoutRolls(document)} sheet={sheet} />
              </details>
              {character && (
                <ButtonLink href={hrefOf(`${path}/characters/${character.id}`)} icon="sheet">
                  {text.open(name)}
                </ButtonLink>
              )}
            </li>
          )
        })}
      </ul>
    </section>
  )
}
