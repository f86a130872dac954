import type { Creation } from '@guildhall/client'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useActing, useCampaign } from '../../data/acting.ts'
import { useUserNames } from '../../data/names.ts'
import { labelOf } from '../../play/character-words.ts'
import { hrefOf, navigate, useQuery } from '../../router.ts'
import { RulesetSheet } from '../../rules/ruleset-sheet.tsx'
import { useAction } from '../../ui/action.ts'
import { Button } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import { Abandon } from './abandon.tsx'
import { type CreationDocument, withoutRolls } from './document.ts'
import type { StepDraft } from './draft.ts'
import { inOwnWords } from './faults.ts'
import { LastStep } from './last-step.tsx'
import { Progress, type Screen } from './progress.tsx'
import { Step } from './step.tsx'
import { text } from './text.ts'

/** The screen after the steps of the ruleset, none of which can have this name. */
const LAST = 'last-step'

interface WizardProps {
  document: CreationDocument
  creation: Creation
  onChange: (creation: Creation) => void
}

/** Creates a character, one step per screen. */
export function Wizard({ document, creation, onChange }: WizardProps) {
  const { api, campaign, path } = useCampaign()
  const { user } = useActing()
  const nameOf = useUserNames([creation.user_id])
  const [asked] = useQuery('step')
  const [drafts, setDrafts] = useState<Record<string, StepDraft | undefined>>({})
  const here = `${path}/characters/creations/${creation.id}`
  const { steps } = creation

  const screens: Screen[] = [
    ...steps.map(({ id, label, done }) => ({ id, label: label === id ? labelOf(id) : label, isDone: done && !drafts[id] })),
    { id: LAST, label: text.last.step, isDone: false },
  ].map((screen) => ({ ...screen, href: hrefOf(`${here}?step=${screen.id}`) }))
  const first = useRef(screens.find(({ isDone }) => !isDone)?.id)
  const index = Math.max(
    0,
    screens.findIndex(({ id }) => id === (asked ?? first.current)),
  )
  const current = screens[index] as Screen
  const step = steps[index]
  const open = screens.slice(0, -1).filter(({ isDone }) => !isDone)
  const goTo = (at: number) => navigate(`${here}?step=${screens[at]?.id}`)

  const surprise = useAction(async () => {
    try {
      onChange(await api.creations.random(creation.id, {}))
    } catch (error) {
      throw inOwnWords(error)
    }
    setDrafts({})
    goTo(screens.length - 1)
  })
  return (
    <Page
      title={text.title[creation.type]}
      above={creation.type === 'PLAYER' && creation.user_id !== user.id ? text.forUser(nameOf(creation.user_id)) : campaign.name}
    >
      <div class="wizard">
        <div class="wizard-step">
          <header>
            <Progress screens={screens} current={current.id} />
            <p class="quiet">{text.stepOf(index + 1, screens.length)}</p>
            <StepTitle key={current.id} isFirst={asked === null} label={current.label} />
          </header>
          {step ? (
            <Step
              key={step.id}
              document={document}
              creation={creation}
              step={step}
              draft={drafts[step.id]}
              onDraft={(draft) => setDrafts((before) => ({ ...before, [step.id]: draft }))}
              onChange={onChange}
              onNext={() => goTo(index + 1)}
              onBack={index > 0 ? () => goTo(index - 1) : undefined}
            />
          ) : (
            <LastStep creation={creation} open={open} onBack={() => goTo(index - 1)} />
          )}
          <div class="wizard-more">
            {open.length > 1 && (
              <Button look="quiet" icon="dice" busy={surprise.busy} onClick={surprise.run}>
                {text.surpriseRest}
              </Button>
            )}
            <Abandon id={creation.id} onAbandoned={() => navigate(`${path}/characters`)} />
          </div>
        </div>
        <section class="card wizard-sheet" aria-label={text.sheet}>
          <header>
            <h2>{text.sheet}</h2>
            <p class="hint">{text.sheetHint}</p>
          </header>
          {/* Until all steps are done, it is no news that the sheet is not complete. */}
          <RulesetSheet document={withoutRolls(document)} sheet={{ ...creation.sheet, faults: open.length ? [] : creation.sheet.faults }} />
        </section>
      </div>
    </Page>
  )
}

/** The title of a step. It gets the focus, so that a screen reader announces each step, but not when the page is opened: then the page is announced. */
function StepTitle({ label, isFirst }: { label: string; isFirst: boolean }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (!isFirst) heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <h2 ref={heading} tabIndex={-1}>
      {label}
    </h2>
  )
}
