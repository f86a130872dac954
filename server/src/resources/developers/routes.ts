import { operation, resource } from '../../http/operation.ts'
import { below, ROOT } from '../../http/path.ts'
import { getDeveloper, updateDeveloper } from './queries.ts'
import { AccountPatch, Developer } from './schema.ts'

const account = below(ROOT, 'developers', 'me')

export const developers = resource(
  {
    Account: 'The developer account of the API key',
  },
  [
    operation({
      id: 'account.get',
      method: 'GET',
      path: account,
      needs: { key: 'KEY' },
      summary: 'Get your developer account',
      description: 'The developer that the API key belongs to, with its permission in each company.',
      reply: [200, Developer],
      run: ({ db, developer }) => getDeveloper(db, developer.id),
    }),
    operation({
      id: 'account.update',
      method: 'PATCH',
      path: account,
      needs: { key: 'KEY' },
      summary: 'Change your name',
      body: AccountPatch,
      reply: [200, Developer],
      emits: ['developer.updated'],
      run: ({ db, developer, body }) => updateDeveloper(db, developer.id, body),
    }),
  ],
)
