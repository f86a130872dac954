import { operation, resource } from '../../http/operation.ts'
import { below, ROOT } from '../../http/path.ts'
import { getDeveloper, updateDeveloper } from './queries.ts'
import { Developer, MePatch } from './schema.ts'

const me = below(ROOT, 'developers', 'me')

export const developers = resource(
  {
    Me: 'The developer account of the API key',
  },
  [
    operation({
      id: 'me.get',
      method: 'GET',
      path: me,
      needs: { key: 'KEY' },
      summary: 'Get your developer account',
      description: 'The developer that the API key belongs to, with its permission in each company.',
      reply: [200, Developer],
      run: ({ db, developer }) => getDeveloper(db, developer.id),
    }),
    operation({
      id: 'me.update',
      method: 'PATCH',
      path: me,
      needs: { key: 'KEY' },
      summary: 'Change your name',
      body: MePatch,
      reply: [200, Developer],
      emits: ['developer.updated'],
      run: ({ db, developer, body }) => updateDeveloper(db, developer.id, body),
    }),
  ],
)
