import pg from 'pg'

const INTEGRITY_VIOLATION = /^23/
const SHARD_SUFFIX = /_\d{6,}$/

/**
 * Completes the error of a worker of a Citus cluster: the coordinator passes on its message, but not the fields for constraint and column, and the names end in
 * the number of the shard. Other errors are returned as they are.
 */
export function withoutShard(error: Error): Error {
  if (!(error instanceof pg.DatabaseError) || !INTEGRITY_VIOLATION.test(error.code ?? '')) return error
  const constraint = error.constraint ?? /constraint "(.+?)"/.exec(error.message)?.[1]
  const column = error.column ?? /null value in column "(.+?)"/.exec(error.message)?.[1]
  return Object.assign(error, constraint && { constraint: constraint.replace(SHARD_SUFFIX, '') }, column && { column })
}
