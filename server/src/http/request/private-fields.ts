interface Schema {
  type?: string | string[]
  properties?: Record<string, Schema>
  items?: Schema
  'x-private'?: boolean
}

/** Returns a value without the private fields of other users than the viewer. */
type Mask = (value: unknown, viewer_id: string | undefined) => unknown

type Row = Record<string, unknown> & { id?: string }

/**
 * Returns the function that masks the replies of a schema: fields marked `x-private` become null, except in the row of the viewer. It follows from the
 * schema alone, so no operation that shows a user can forget it. The value itself is not changed.
 */
export const maskOf = (schema: unknown): Mask => maskFor((schema ?? {}) as Schema) ?? ((value) => value)

function maskFor({ properties = {}, items }: Schema): Mask | undefined {
  const maskItem = items && maskFor(items)
  if (maskItem) return (value, viewer_id) => (Array.isArray(value) ? value.map((item) => maskItem(item, viewer_id)) : value)
  const fields = Object.entries(properties)
  const privates = fields.filter(([, field]) => field['x-private']).map(([name]) => name)
  const nested = fields.flatMap(([name, field]) => {
    const mask = maskFor(field)
    return mask ? [[name, mask] as const] : []
  })
  if (privates.length === 0 && nested.length === 0) return undefined
  return (value, viewer_id) => {
    if (typeof value !== 'object' || value === null) return value
    const row: Row = { ...value }
    if (row.id !== viewer_id) for (const name of privates) row[name] = null
    for (const [name, mask] of nested) if (name in row) row[name] = mask(row[name], viewer_id)
    return row
  }
}
