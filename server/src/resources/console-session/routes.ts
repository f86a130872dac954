import { operation, resource } from '../../http/operation.ts'
import { below, ROOT } from '../../http/path.ts'
import { Me } from '../tokens/schema.ts'
import { previewLink, signIn, signOut } from './queries.ts'
import { credentialIn } from './rules.ts'
import { ConsoleSessionCreate, SIGN_IN_EXAMPLES, SignInPreview, SignInPreviewCreate } from './schema.ts'

const path = below(ROOT, 'console-session')

export const consoleSession = resource(
  {
    'Console session': 'Signing in to the console, and out of it. Applications use API keys and user tokens instead',
  },
  [
    operation({
      id: 'consoleSession.create',
      method: 'POST',
      path,
      needs: { key: 'ANY' },
      console: true,
      signsIn: credentialIn,
      summary: 'Sign in to the console',
      description:
        'Exchanges an API key, or the code of a single-use link, for a cookie that the scripts of a page cannot read. The session of a developer may do what the key may, for 12 hours, and ends with the key. That of a user acts as a user token with scope PLAY. The reply is the one of `GET /api/v1/me` for the new session. An Idempotency-Key is ignored.',
      body: ConsoleSessionCreate,
      examples: SIGN_IN_EXAMPLES,
      reply: [201, Me],
      emits: ['console_session.created'],
      conflicts: { too_many_tokens: 'The user already has 100 console sessions' },
      secret: true,
      run: ({ db, body, site, ...caller }) => signIn(db, caller, body, site),
    }),
    operation({
      id: 'consoleSession.preview',
      method: 'POST',
      path: below(path, 'preview'),
      needs: { key: 'ANY' },
      console: true,
      computes: true,
      signsIn: ({ code }) => ({ code }),
      summary: 'See whom a sign-in link is for',
      description:
        'Says whom the link signs in, without using it up. It tells nothing that signing in would not tell: the code is the credential of that person.',
      body: SignInPreviewCreate,
      reply: [200, SignInPreview],
      run: async ({ db, ...caller }) => ({ before: null, after: null, reply: await previewLink(db, caller) }),
    }),
    operation({
      id: 'consoleSession.delete',
      method: 'DELETE',
      path,
      needs: { key: 'SESSION' },
      console: true,
      summary: 'Sign out of the console',
      description: 'Ends the session of the request immediately, on every server, and removes its cookie.',
      reply: [204],
      emits: ['console_session.deleted'],
      run: ({ db, ...caller }) => signOut(db, caller, caller.actor),
    }),
  ],
)
