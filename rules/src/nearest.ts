/** Counts the single-character edits that turn one text into another (Levenshtein distance). */
function editsBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min((next[j - 1] as number) + 1, (row[j] as number) + 1, (row[j - 1] as number) + Number(a[i - 1] !== b[j - 1])))
    row = next
  }
  return row[b.length] as number
}

const MAX_SUGGESTIONS = 3

/** Two edits are forgiven, unless nothing of a short name would be left. */
const maxEdits = (a: string, b: string) =>
  Math.min(Math.max(a.length, b.length) - 1, Math.max(2, Math.floor(Math.min(a.length, b.length) / 2)))

/** The names most like the given one, best first. A name that differs in most of its letters is not like it. */
export function nearestTo(name: string, names: Iterable<string>): string[] {
  return [...names]
    .filter((known) => Math.abs(known.length - name.length) <= maxEdits(name, known))
    .map((known) => ({ known, edits: editsBetween(name, known) }))
    .filter(({ known, edits }) => edits <= maxEdits(name, known))
    .sort((a, b) => a.edits - b.edits || (a.known < b.known ? -1 : 1))
    .slice(0, MAX_SUGGESTIONS)
    .map(({ known }) => known)
}
