import pg from 'pg'
import { parseJson } from '../../core/parse-json.ts'

const { builtins } = pg.types

/** Parses a timestamp to text in its wire format: the row is the reply. */
function timestamp(text: string): string {
  // The usual form: 2026-11-15 18:30:00.123+00
  if (text.length === 26 && text.endsWith('+00')) return `${text.slice(0, 10)}T${text.slice(11, 23)}Z`
  if (!text.endsWith('+00') || text.length > 26) return new Date(text).toISOString()
  const [seconds, fraction = ''] = text.slice(0, -3).split('.') as [string, string?]
  return `${seconds.slice(0, 10)}T${seconds.slice(11)}.${fraction.padEnd(3, '0')}Z`
}

const parsers = new Map<number, (text: string) => unknown>([
  [builtins.TIMESTAMPTZ, timestamp],
  // A day has no time zone: its text is the reply.
  [builtins.DATE, String],
  [builtins.JSON, parseJson],
  [builtins.JSONB, parseJson],
  // count(*) is a bigint; no value of ours exceeds 2^53.
  [builtins.INT8, Number],
])

/** The parsers of columns, for every connection. */
export const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && parsers.get(oid)) || pg.types.getTypeParser(oid, format),
} as pg.CustomTypesConfig
