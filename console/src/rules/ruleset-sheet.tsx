import type { RulesetSample } from '@guildhall/client'
import type { ComponentChildren } from 'preact'
import { Button } from '../ui/button.tsx'
import { Badge } from '../ui/marks.tsx'
import { groupsOf, labelIn, rangeOf, type SheetDocument, type SheetGroup } from './document.ts'
import { SheetFaults } from './sheet-faults.tsx'
import { DerivedValue, SheetChoice, SheetValue } from './sheet-values.tsx'
import { text } from './text.ts'

/** A change on a sheet. Without a value, what the ruleset gives by itself applies. */
export type SheetChange =
  | { part: 'traits' | 'trackers' | 'conditions' | 'campaign'; name: string; value: number | undefined }
  | { part: 'choices'; name: string; value: string | undefined }

interface RulesetSheetProps {
  /** The document of the ruleset, without faults. */
  document: SheetDocument
  /** The sheet with everything that follows from it. */
  sheet: RulesetSample
  /** Changes a value. Without it, values are only shown. */
  onChange?: ((change: SheetChange) => void) | undefined
  /** False for a value that is only shown. */
  mayChange?: (part: SheetChange['part'], name: string) => boolean
  /** True to send typed numbers of trackers and conditions only when they are complete, because each is stored at once. */
  isLazy?: boolean
  /** Rolls by name. Without it, the buttons of rolls are inactive, and null leaves them out. */
  onRoll?: ((name: string) => void) | null | undefined
}

/** A sheet as a ruleset describes it: choices, groups of traits, derived values, trackers, conditions and rolls. */
export function RulesetSheet({ document, sheet, onChange, mayChange = () => true, isLazy = false, onRoll }: RulesetSheetProps) {
  const { choices = {}, derived = {}, trackers = {}, conditions = {}, rolls = {} } = document
  const loose = Object.keys(derived).filter((name) => derived[name]?.group === undefined)
  const groups = groupsOf(document)
  const changeOf: ChangeOf = (part, name) =>
    onChange && mayChange(part, name) ? (value) => onChange({ part, name, value } as SheetChange) : undefined
  const parts = [choices, derived, trackers, conditions, rolls]
  if (!groups.length && parts.every((part) => !Object.keys(part).length)) return <p class="quiet">{text.empty}</p>
  return (
    <div class="ruleset-sheet">
      <SheetFaults faults={sheet.faults} document={document} />
      <Part title={text.rolls} names={onRoll === null ? [] : Object.keys(rolls)} class="sheet-rolls">
        {(name) => (
          <li key={name}>
            <Button icon="dice" disabled={!onRoll} title={rolls[name]?.description} onClick={() => onRoll?.(name)}>
              {labelIn(rolls, name)}
            </Button>
          </li>
        )}
      </Part>
      <Part title={text.choices} names={Object.keys(choices)} class="sheet-choices">
        {(name) => (
          <SheetChoice key={name} document={document} name={name} value={sheet.choices[name] ?? ''} onChange={changeOf('choices', name)} />
        )}
      </Part>
      {groups.map((group) => (
        <GroupOf key={group.name} group={group} document={document} sheet={sheet} changeOf={changeOf} />
      ))}
      <Part title={text.derived} names={loose} class="sheet-derived">
        {(name) => <DerivedValue key={name} label={labelIn(derived, name)} value={sheet.derived[name]} hint={derived[name]?.description} />}
      </Part>
      <Part title={text.trackers} names={Object.keys(trackers)} class="sheet-values">
        {(name) => {
          const { value = 0, min = 0, max = 0 } = sheet.trackers[name] ?? {}
          const isOfCampaign = trackers[name]?.scope === 'campaign'
          const label = labelIn(trackers, name)
          const part = isOfCampaign ? 'campaign' : 'trackers'
          return (
            <SheetValue
              key={name}
              look="box"
              label={label}
              badge={isOfCampaign && <Badge>{text.campaign}</Badge>}
              range={min === 0 ? text.limit(max) : text.limits(min, max)}
              of={{ value, min, max }}
              isLazy={isLazy}
              onChange={changeOf(part, name)}
            />
          )
        }}
      </Part>
      <Part title={text.conditions} names={Object.keys(conditions)} class="sheet-values">
        {(name) => {
          const max = conditions[name]?.most ?? 1
          return (
            <SheetValue
              key={name}
              look="box"
              label={labelIn(conditions, name)}
              hint={conditions[name]?.description}
              range={text.limit(max)}
              of={{ value: sheet.conditions[name] ?? 0, min: 0, max }}
              isLazy={isLazy}
              onChange={changeOf('conditions', name)}
            />
          )
        }}
      </Part>
    </div>
  )
}

interface PartProps {
  title: string
  names: string[]
  class: string
  children: (name: string) => ComponentChildren
}

/** A section of the sheet with a list, unless it is empty. It is no landmark: rulesets name their groups, and other parts of the page may have the same names. */
function Part({ title, names, class: list, children }: PartProps) {
  if (!names.length) return null
  return (
    <section class="sheet-part">
      <h3>{title}</h3>
      <ul class={list}>{names.map(children)}</ul>
    </section>
  )
}

/** Returns the function that changes a value, unless it is only shown. */
type ChangeOf = <P extends SheetChange['part']>(part: P, name: string) => ((value: ValueIn<P>) => void) | undefined
type ValueIn<P> = P extends 'choices' ? string | undefined : number | undefined

type InSheet = Pick<RulesetSheetProps, 'document' | 'sheet'> & { changeOf: ChangeOf }

function GroupOf({ group, isInner = false, ...rest }: InSheet & { group: SheetGroup; isInner?: boolean }) {
  const { document, sheet, changeOf } = rest
  const Heading = isInner ? 'h4' : 'h3'
  return (
    <section class={isInner ? 'sheet-inner' : 'sheet-part'}>
      <Heading>{group.label}</Heading>
      {group.traits.length > 0 && (
        <ul class="sheet-values">
          {group.traits.map((name) => {
            const range = rangeOf(document, name)
            const onChange = changeOf('traits', name)
            return (
              <SheetValue
                key={name}
                label={labelIn(document.traits, name)}
                hint={document.traits[name]?.description}
                range={onChange ? text.range(range.min, range.max) : ''}
                of={{ value: sheet.traits[name] ?? range.min, ...range }}
                onChange={onChange}
              />
            )
          })}
        </ul>
      )}
      {group.derived.length > 0 && (
        <ul class="sheet-derived">
          {group.derived.map((name) => (
            <DerivedValue
              key={name}
              label={labelIn(document.derived, name)}
              value={sheet.derived[name]}
              hint={document.derived?.[name]?.description}
            />
          ))}
        </ul>
      )}
      {group.groups.length > 0 && (
        <div class="sheet-inners">
          {group.groups.map((inner) => (
            <GroupOf key={inner.name} group={inner} isInner {...rest} />
          ))}
        </div>
      )}
    </section>
  )
}
