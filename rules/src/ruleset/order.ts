/** Orders names so that each comes after those that it needs. Returns the names of a circle instead, if there is one. */
export function orderByNeeds(needs: ReadonlyMap<string, ReadonlySet<string>>): { order: string[] } | { circle: string[] } {
  const order: string[] = []
  const state = new Map<string, 'open' | 'done'>()
  const path: string[] = []
  /** Returns a circle that is found below a name. */
  const visit = (name: string): string[] | undefined => {
    if (state.get(name) === 'done') return undefined
    if (state.get(name) === 'open') return [...path.slice(path.indexOf(name)), name]
    state.set(name, 'open')
    path.push(name)
    for (const needed of needs.get(name) ?? []) {
      const circle = needs.has(needed) ? visit(needed) : undefined
      if (circle) return circle
    }
    path.pop()
    state.set(name, 'done')
    order.push(name)
    return undefined
  }
  for (const name of needs.keys()) {
    const circle = visit(name)
    if (circle) return { circle }
  }
  return { order }
}
