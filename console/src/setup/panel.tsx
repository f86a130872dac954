import type { Me } from '@guildhall/client'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Solid } from '../play/die.tsx'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { Problem } from '../ui/problem.tsx'
import { campaign } from './adventure.ts'
import { Ready } from './ready.tsx'
import { STEPS, type Step } from './run.ts'
import { text } from './text.ts'
import { type Setup, useSetup } from './use-setup.ts'

/** Offers to make the sample table, or something else in its place; shows how far it is, and in the end the way to it. */
export function SetupPanel({ me, otherwise }: { me: Me; otherwise?: ComponentChildren }) {
  const [setup, start] = useSetup()
  const isRunning = setup.state === 'running'
  if (setup.state === 'ready') return <Ready me={me} table={setup.table} />
  return (
    <section class="setup" aria-labelledby="setup-title">
      <span class="setup-dice" aria-hidden="true">
        <Solid sides={20} face="20" />
        <Solid sides={12} face="7" />
        <Solid sides={6} face="5" />
      </span>
      <h2 id="setup-title">{text.title}</h2>
      {setup.state === 'idle' && (
        <>
          <p>{setup.hasBegun ? text.unfinished : text.text}</p>
          {!setup.hasBegun && <p class="quiet">{text.adventure(campaign.name)}</p>}
        </>
      )}
      {setup.state !== 'idle' && <Steps setup={setup} />}
      {setup.state === 'failed' && (
        <>
          <Problem error={setup.error} />
          <p>{text.failed}</p>
        </>
      )}
      {!isRunning && (
        <div class="setup-actions">
          <Button look="primary" class="big" onClick={start}>
            {setup.state === 'failed' || setup.hasBegun ? text.again : text.start}
          </Button>
          {otherwise}
        </div>
      )}
    </section>
  )
}

function Steps({ setup }: { setup: Extract<Setup, { step: Step }> }) {
  const list = useRef<HTMLOListElement>(null)
  // The pressed button is gone, so the focus moves to the progress in its place.
  useEffect(() => list.current?.focus(), [])
  const current = STEPS.indexOf(setup.step)
  const stateOf = (index: number) =>
    index < current ? 'done' : index > current ? 'waiting' : setup.state === 'failed' ? 'failed' : 'running'
  return (
    <>
      <p class="visually-hidden" role="status">
        {text.progress(current + 1, STEPS.length, text.steps[setup.step])}
      </p>
      <ol class="setup-steps" ref={list} tabIndex={-1} aria-label={text.title}>
        {STEPS.map((step, index) => (
          <li key={step} class={stateOf(index)}>
            <span class="setup-mark" aria-hidden="true">
              {stateOf(index) === 'done' && <Icon name="check" />}
              {stateOf(index) === 'failed' && <Icon name="close" />}
            </span>
            <span>
              {text.steps[step]}
              <span class="visually-hidden">, {text.states[stateOf(index)]}</span>
            </span>
          </li>
        ))}
      </ol>
    </>
  )
}
