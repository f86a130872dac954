import { Type } from '@guildhall/rules/type'
import { modifiable, Paged, page } from '../../core/page.ts'
import { operation, resource } from '../../http/operation.ts'
import { below, ROOT, USER } from '../../http/path.ts'
import { createToken, deleteToken, getMe, getToken, listTokens, revokeTokens } from './queries.ts'
import { IssuedToken, MAX_TOKENS, Me, RevokedTokens, TokenCreate, UserToken } from './schema.ts'

const all = below(USER, 'tokens')
const one = below(all, '{token_id}')

export const tokens = resource(
  {
    Tokens: 'Tokens with which a browser or an app acts as one user',
    Me: 'The credential of a request, and whom it stands for',
  },
  [
    operation({
      id: 'me.get',
      method: 'GET',
      path: below(ROOT, 'me'),
      needs: { key: 'ANY' },
      summary: 'Find out who you are',
      description:
        'The developer of an API key, or the user and the company of a user token: a client that has only a token learns its ids here. The console learns whom its session stands for.',
      reply: [200, Me],
      run: ({ db, site, ...caller }) => getMe(db, caller, site),
    }),
    operation({
      id: 'tokens.list',
      method: 'GET',
      path: all,
      needs: { key: 'USER' },
      summary: 'List the tokens of a user',
      description: 'Lists the tokens that work, whichever key issued them, and with them the console sessions of the user.',
      query: Type.Object({ ...page, ...modifiable }),
      reply: [200, Paged(UserToken)],
      run: ({ db, actor, query }) => listTokens(db, actor, query),
    }),
    operation({
      id: 'tokens.create',
      method: 'POST',
      path: all,
      needs: { key: 'USER', refusesTokens: true },
      summary: 'Issue a token for a user',
      description:
        'The token acts as the user, in this company only, with permission USER whatever the key has. It is shown only in the reply; the service stores its hash. It ends when it expires, is deleted or revoked, or when the key that issued it ends.',
      body: TokenCreate,
      reply: [201, IssuedToken],
      emits: ['user_token.created'],
      conflicts: { too_many_tokens: `The user already has ${MAX_TOKENS} live tokens` },
      secret: true,
      run: ({ db, developer, actor, body }) => createToken(db, developer, actor, body),
    }),
    operation({
      id: 'tokens.revoke',
      method: 'POST',
      path: below(all, 'revoke'),
      needs: { key: 'USER' },
      summary: 'Revoke all tokens of a user',
      description:
        'Their console sessions are among them. They stop working immediately, on every server; the one that makes the request is among them.',
      reply: [200, RevokedTokens],
      emits: ['user_token.revoked'],
      run: ({ db, actor }) => revokeTokens(db, actor),
    }),
    operation({
      id: 'tokens.get',
      method: 'GET',
      path: one,
      needs: { key: 'USER' },
      summary: 'Get a token of a user',
      reply: [200, UserToken],
      run: ({ db, actor, params }) => getToken(db, actor, params.token_id),
    }),
    operation({
      id: 'tokens.delete',
      method: 'DELETE',
      path: one,
      needs: { key: 'USER' },
      summary: 'Delete a token of a user',
      description: 'It stops working immediately, on every server. With a token, a user can sign out by deleting it.',
      reply: [204],
      emits: ['user_token.deleted'],
      run: ({ db, actor, params }) => deleteToken(db, actor, params.token_id),
    }),
  ],
)
