import { operation } from '../../http/operation.ts'
import { getDeveloper, updateDeveloper } from './queries.ts'
import { Developer, MePatch } from './schema.ts'

const ME = '/developers/me'

export const developers = [
  operation({
    id: 'me.get',
    method: 'GET',
    path: ME,
    needs: { key: 'KEY' },
    summary: 'See who you are',
    description: 'The developer of the calling key, and what it may do in which company.',
    reply: [200, Developer],
    run: ({ db, developer }) => getDeveloper(db, developer.id),
  }),
  operation({
    id: 'me.update',
    method: 'PATCH',
    path: ME,
    needs: { key: 'KEY' },
    summary: 'Change your name',
    body: MePatch,
    reply: [200, Developer],
    emits: 'developer.updated',
    run: ({ db, developer, body }) => updateDeveloper(db, developer.id, body),
  }),
]
