import { labelIn, type SheetDocument } from '../../rules/document.ts'

/** The faults of an answer: those of a trait are shown at it, and all others below the step. */
export interface AnswerFaults {
  byTrait: Record<string, string>
  others: string[]
}

const sentence = (words: string) => `${words[0]?.toUpperCase() ?? ''}${words.slice(1)}.`

/** Sorts the faults of an answer. Those of a trait begin with its name. */
export function sortFaults(messages: readonly string[], { traits }: Pick<SheetDocument, 'traits'>): AnswerFaults {
  const faults: AnswerFaults = { byTrait: {}, others: [] }
  for (const message of messages) {
    const [first = '', ...rest] = message.split(' ')
    if (!Object.hasOwn(traits, first)) faults.others.push(sentence(message))
    else faults.byTrait[first] ??= `${labelIn(traits, first)} ${rest.join(' ')}.`
  }
  return faults
}
