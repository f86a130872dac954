import pg from 'pg'

const { builtins } = pg.types

/** Timestamps stay text, in the form they have on the wire: the row is the reply. */
function timestamp(text: string): string {
  // As nearly all are, in the database's own form: 2026-11-15 18:30:00.123+00
  if (text.length === 26 && text.endsWith('+00')) return `${text.slice(0, 10)}T${text.slice(11, 23)}Z`
  if (!text.endsWith('+00') || text.length > 26) return new Date(text).toISOString()
  const [seconds, fraction = ''] = text.slice(0, -3).split('.') as [string, string?]
  return `${seconds.slice(0, 10)}T${seconds.slice(11)}.${fraction.padEnd(3, '0')}Z`
}

const parsers = new Map<number, (text: string) => unknown>([
  [builtins.TIMESTAMPTZ, timestamp],
  // count(*) is a bigint; none of ours passes 2^53.
  [builtins.INT8, Number],
])

/** How columns become JavaScript, for every connection. */
export const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && parsers.get(oid)) || pg.types.getTypeParser(oid, format),
} as pg.CustomTypesConfig
