import fastJson from 'fast-json-stringify'
import type { Operation } from './operation.ts'

/** Writes a reply as its schema says: a field that is not declared cannot leave the service. */
export function serializer({ reply: [, schema] }: Operation): (data: unknown) => string {
  return schema ? fastJson(schema as object) : () => ''
}
