declare module 'pg-copy-streams' {
  import type { Readable, Writable } from 'node:stream'
  import type { Submittable } from 'pg'

  interface Counted {
    rowCount: number
  }
  const copy: {
    to(text: string): Readable & Submittable & Counted
    from(text: string): Writable & Submittable & Counted
  }
  export default copy
}
