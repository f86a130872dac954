/** The value of the last key of a table that is not above a number, or of its first key. */
export function lookUp(rows: readonly (readonly [key: number, value: number])[], key: number): number {
  let [low, high] = [0, rows.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((rows[middle]?.[0] as number) <= key) low = middle
    else high = middle - 1
  }
  return rows[low]?.[1] ?? 0
}
