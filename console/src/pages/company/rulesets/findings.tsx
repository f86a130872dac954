import type { RulesetChange, RulesetFault, ValidatedRuleset } from '@guildhall/client'
import type { ComponentChildren } from 'preact'
import { Badge } from '../../../ui/marks.tsx'
import { Problem } from '../../../ui/problem.tsx'
import { text as all } from './text.ts'
import type { Validation } from './use-validation.ts'

const text = all.findings

/** Moves the cursor to a field of the document. */
export type GoTo = (field: string) => void

interface FindingsProps {
  of: Validation
  /** The name of the version that the document is compared with. */
  previous: string | undefined
  isEditable: boolean
  onGoTo: GoTo
  /** Moves the cursor to a character of the text. */
  onGoToIndex: (index: number) => void
}

/** Everything that was found in the document: faults first, then warnings, examples, changes and the cost. */
export function Findings({ of: { read, found, isPending, error }, previous, isEditable, onGoTo, onGoToIndex }: FindingsProps) {
  const fault = 'fault' in read ? read.fault : undefined
  return (
    <section class="findings" aria-label={text.title}>
      <header class="findings-head">
        <h2>{text.title}</h2>
        <p role="status">
          <State found={found} isPending={isPending} isUnreadable={fault !== undefined} isEditable={isEditable} />
        </p>
      </header>
      {error !== undefined && <Problem error={error} />}
      {fault && (
        <ul class="findings-list bad">
          <li>
            <button type="button" onClick={() => onGoToIndex(fault.index)}>
              {all.syntax.at(fault.line, fault.column)}
            </button>
            <span>{fault.message}</span>
          </li>
        </ul>
      )}
      {!fault && found && (
        <>
          <Faults title={text.faults(found.faults.length)} of={found.faults} onGoTo={onGoTo} />
          <Faults title={text.warnings(found.warnings.length)} of={found.warnings} onGoTo={onGoTo} isMild />
          <Examples of={found} onGoTo={onGoTo} />
          {previous && !found.faults.length && <Changes of={found.changes} since={previous} onGoTo={onGoTo} />}
          {!found.faults.length && (
            <p class="quiet">
              {text.formulas(found.counts.formulas)}. {text.cost(found.cost.derivation, found.cost.most)}
            </p>
          )}
        </>
      )}
    </section>
  )
}

interface StateProps {
  found: ValidatedRuleset | undefined
  isPending: boolean
  isUnreadable: boolean
  isEditable: boolean
}

function State({ found, isPending, isUnreadable, isEditable }: StateProps) {
  if (isUnreadable) return <Badge tone="bad">{text.notJson}</Badge>
  if (isPending || !found) return <Badge>{text.checking}</Badge>
  if (found.valid) return <Badge tone="good">{isEditable ? text.valid : text.validReader}</Badge>
  return <Badge tone="bad">{found.faults.length ? text.faults(found.faults.length) : text.examplesFail}</Badge>
}

interface FaultListProps {
  of: readonly RulesetFault[]
  onGoTo: GoTo
  isMild?: boolean
}

function Faults({ title, ...list }: FaultListProps & { title: string }) {
  if (!list.of.length) return null
  return (
    <Part title={title}>
      <FaultList {...list} />
    </Part>
  )
}

/** Faults with their fields. A press on the field leads to it. */
export function FaultList({ of, onGoTo, isMild = false }: FaultListProps) {
  return (
    <ul class={isMild ? 'findings-list' : 'findings-list bad'}>
      {of.map((fault) => (
        <FaultRow key={fault.field + fault.message} of={fault} onGoTo={onGoTo} />
      ))}
    </ul>
  )
}

function FaultRow({ of: { field, message }, onGoTo }: { of: RulesetFault; onGoTo: GoTo }) {
  return (
    <li>
      <FieldButton field={field} onGoTo={onGoTo} />
      <span>{message}</span>
    </li>
  )
}

function FieldButton({ field, onGoTo }: { field: string; onGoTo: GoTo }) {
  return (
    <button type="button" aria-label={text.goTo(field)} onClick={() => onGoTo(field)}>
      <code>{field}</code>
    </button>
  )
}

function Examples({ of: { examples }, onGoTo }: { of: ValidatedRuleset; onGoTo: GoTo }) {
  if (!examples.length) return null
  return (
    <Part title={text.examples}>
      <ul class="findings-list">
        {examples.map(({ name, holds, faults }, index) => (
          <li key={index}>
            <span>{name}</span>
            <Badge tone={holds ? 'good' : 'bad'}>{holds ? text.holds : text.fails}</Badge>
            {faults.length > 0 && (
              <ul class="findings-list bad">
                {faults.map(({ field, message }) => (
                  <FaultRow key={field + message} of={{ field: `examples.${index}.expect.${field}`, message }} onGoTo={onGoTo} />
                ))}
              </ul>
            )}
          </li>
        ))}
      </ul>
    </Part>
  )
}

/** The differences from the newest published version. Those that break something come first. */
function Changes({ of, since, onGoTo }: { of: readonly RulesetChange[]; since: string; onGoTo: GoTo }) {
  const breaking = of.filter((change) => change.breaking)
  const others = of.filter((change) => !change.breaking)
  const row = ({ field, kind }: RulesetChange) => (
    <li key={field + kind}>
      <FieldButton field={field} onGoTo={onGoTo} />
      <span>{text.kinds[kind]}</span>
    </li>
  )
  return (
    <Part title={text.changes(since)}>
      {of.length === 0 && <p class="quiet">{text.noChanges}</p>}
      {breaking.length > 0 && (
        <>
          <p>{text.breaking(breaking.length)}</p>
          <ul class="findings-list bad">{breaking.map(row)}</ul>
        </>
      )}
      {others.length > 0 && (
        <details>
          <summary>{text.others(others.length)}</summary>
          <ul class="findings-list">{others.map(row)}</ul>
        </details>
      )}
    </Part>
  )
}

function Part({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <div class="findings-part">
      <h3>{title}</h3>
      {children}
    </div>
  )
}
