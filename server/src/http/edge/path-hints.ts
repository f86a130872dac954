const PREFIX = '/api/v1'
/** The beginnings of a path that stand where /api/v1 should. */
const OTHER_PREFIX = /^(?:\/api)?(?:\/v\d+)?(?=\/)/

const isParam = (segment: string | undefined) => segment?.startsWith('{') ?? false

/** The end of a path: its last name, with a slash if one id follows it. Undefined if anything else does. */
function endingOf(segments: string[], isName: (segment: string) => boolean): string | undefined {
  const [before, last] = segments.slice(-2)
  if (last !== undefined && isName(last)) return last
  return last && before && isName(before) ? `${before}/` : undefined
}

/**
 * Returns a function that suggests a path instead of one that does not exist: with the prefix of the API, or the shortest one that ends in the same resource, which
 * most likely lies below a user or a campaign that the path left out.
 */
export function pathHints(templates: string[], isKnown: (path: string) => boolean): (path: string) => string | undefined {
  const names = new Set(templates.flatMap((template) => template.split('/').filter((segment) => segment && !isParam(segment))))
  const byEnding = new Map<string, string>()
  for (const template of templates.toSorted((a, b) => a.length - b.length)) {
    const ending = endingOf(template.split('/'), (segment) => segment !== '' && !isParam(segment)) as string
    if (!byEnding.has(ending)) byEnding.set(ending, template)
  }
  return (path) => {
    const prefixed = path.replace(OTHER_PREFIX, PREFIX)
    if (prefixed !== path && isKnown(prefixed)) return `Use ${prefixed}.`
    const below = path.startsWith(`${PREFIX}/`) && endingOf(path.slice(PREFIX.length).split('/'), (segment) => names.has(segment))
    const similar = below && byEnding.get(below)
    return similar ? `Did you mean ${PREFIX}${similar}?` : undefined
  }
}
