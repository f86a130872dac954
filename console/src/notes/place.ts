import type { CampaignNotes, NoteListItem, User } from '@guildhall/client'
import type { Draft } from './write-dialog.tsx'

/** The operations on notes, which are the same for a campaign, a book, a chapter and a notebook. */
export type NotesApi = Pick<CampaignNotes, 'list' | 'get' | 'create' | 'update' | 'delete' | 'restore'>

/** Where notes are: on a resource of a campaign, or in the notebook of the user. */
export interface NotePlace {
  api: NotesApi
  /** The path of the console that shows these notes. */
  path: string
  isNotebook: boolean
  /** True if the user may change the notes of others here. */
  isStoryteller: boolean
}

/** The service decides. This only decides which controls are shown. */
export const mayChange = ({ author_id, visibility }: NoteListItemLike, user: User, { isStoryteller }: NotePlace): boolean =>
  author_id === user.id || user.role === 'ADMIN' || (isStoryteller && visibility !== 'AUTHOR')

type NoteListItemLike = Pick<NoteListItem, 'author_id' | 'visibility'>

/** The path of these notes in the API, below that of the user. Pages of the chronicle have the paths of their resources. */
export const requestPathOf = ({ path, isNotebook }: NotePlace, userPath: string): string =>
  `${isNotebook ? userPath : path.replace('/chronicle', '')}/notes`

/** A draft as the body of a request. Notebooks have no visibility. */
export const bodyOf = ({ name, body, visibility }: Draft) => ({ title: name, body: body || null, ...(visibility && { visibility }) })
