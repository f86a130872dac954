import type { Role } from '../../core/access.ts'
import type { Note } from './schema.ts'

/** Its author, an ADMIN, and who tells the campaign unless it is the author's alone. */
export const mayChange = (
  actor: { id: string; role: Role },
  tells: boolean,
  { author_id, visibility }: Pick<Note, 'author_id' | 'visibility'>,
) => author_id === actor.id || actor.role === 'ADMIN' || (tells && visibility !== 'AUTHOR')
