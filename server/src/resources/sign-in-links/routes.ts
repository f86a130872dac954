import { Type } from '@guildhall/rules/type'
import { modifiable, Paged, page } from '../../core/page.ts'
import { operation, resource } from '../../http/operation.ts'
import { below, USER } from '../../http/path.ts'
import { createLink, deleteLink, getLink, listLinks } from './queries.ts'
import { IssuedSignInLink, MAX_LINKS, SignInLink, SignInLinkCreate } from './schema.ts'

const all = below(USER, 'sign-in-links')
const one = below(all, '{link_id}')

export const signInLinks = resource(
  {
    'Sign in links': 'Links with which a user signs in to the console, each once',
  },
  [
    operation({
      id: 'signInLinks.list',
      method: 'GET',
      path: all,
      needs: { key: 'USER' },
      console: true,
      summary: 'List the sign-in links of a user',
      description: 'Lists the links that work, whichever key created them.',
      query: Type.Object({ ...page, ...modifiable }),
      reply: [200, Paged(SignInLink)],
      run: ({ db, actor, query }) => listLinks(db, actor, query),
    }),
    operation({
      id: 'signInLinks.create',
      method: 'POST',
      path: all,
      needs: { key: 'USER', refusesTokens: true },
      console: true,
      summary: 'Create a sign-in link for a user',
      description:
        'Whoever opens the link first acts as the user in the console: give it to nobody else. Fetching the address, as the previews of chat programs do, does not use it up. The link ends when it is used, expires or is deleted, or when the key that created it ends.',
      body: SignInLinkCreate,
      reply: [201, IssuedSignInLink],
      emits: ['sign_in_link.created'],
      conflicts: { too_many_links: `The user already has ${MAX_LINKS} links that work` },
      secret: true,
      run: ({ db, developer, actor, body, site }) => createLink(db, developer, actor, body.expires_in, site),
    }),
    operation({
      id: 'signInLinks.get',
      method: 'GET',
      path: one,
      needs: { key: 'USER' },
      console: true,
      summary: 'Get a sign-in link of a user',
      reply: [200, SignInLink],
      run: ({ db, actor, params }) => getLink(db, actor, params.link_id),
    }),
    operation({
      id: 'signInLinks.delete',
      method: 'DELETE',
      path: one,
      needs: { key: 'USER' },
      console: true,
      summary: 'Revoke a sign-in link of a user',
      description:
        'It stops working immediately, on every server. A session that began with it goes on: it is among the tokens of the user.',
      reply: [204],
      emits: ['sign_in_link.deleted'],
      run: ({ db, actor, params }) => deleteLink(db, actor, params.link_id),
    }),
  ],
)
