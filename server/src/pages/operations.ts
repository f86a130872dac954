/** A link to an operation in the API reference. */
export interface OperationLink {
  method: string
  path: string
  summary: string
  address: string
}

interface Documented {
  operationId: string
  tags: string[]
  summary: string
  responses: Record<string, { $ref?: string }>
}

/** At least so many operations answer with a code that any operation can answer with: a list of them says nothing. */
const MIN_COMMON = 60

/** The words of a tag or an operationId in an address. The script of the reference makes the same (static/reference.js). */
export const addressPart = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')

/** Finds the operations that can answer with each code, in the OpenAPI document. */
export function operationsByCode(document: object, codes: string[]): Map<string, OperationLink[]> {
  const { paths, components } = document as {
    paths: Record<string, Record<string, Documented>>
    components: { responses: Record<string, object> }
  }
  const resolved = (response: { $ref?: string }) =>
    response.$ref ? components.responses[response.$ref.split('/').at(-1) as string] : response
  const found = new Map<string, OperationLink[]>(codes.map((code) => [code, []]))
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, { operationId, tags, summary, responses }] of Object.entries(methods)) {
      if (!responses) continue
      const failures = Object.entries(responses).filter(([status]) => Number(status) >= 400)
      const text = JSON.stringify(failures.map(([, response]) => resolved(response)))
      const names = new Set([...text.matchAll(/["`]([a-z_]+)["`]/g)].map(([, name]) => name))
      const address = `/docs/reference#tag/${addressPart(tags[0] ?? '')}/${operationId}`
      for (const code of codes) if (names.has(code)) found.get(code)?.push({ method: method.toUpperCase(), path, summary, address })
    }
  }
  for (const [code, links] of found) if (links.length >= MIN_COMMON) found.set(code, [])
  return found
}
