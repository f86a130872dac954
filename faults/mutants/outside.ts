// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are source code.

import type { Mutant } from './mutant.ts'

/** Faults on the way to others: receivers of webhooks, clusters, browsers and applications. */
export const outside: Mutant[] = [
  {
    fault: 'A webhook follows a redirect',
    file: 'server/src/outbound/post.ts',
    text: "const response = await this.#send(protocol as 'http:' | 'https:', { url, headers, body }, addresses, signal)",
    planted:
      "let response = await this.#send(protocol as 'http:' | 'https:', { url, headers, body }, addresses, signal)\n    const { location } = response.headers\n    if (location) response = await this.#send(protocol as 'http:' | 'https:', { url: new URL(location, url).href, headers, body }, addresses, signal)",
    seenBy: ['src/outbound/post.test.ts', 'redirects are not followed'],
    before: 'This code did not exist',
  },
  {
    fault: 'A webhook is posted to a private address if its name has a public one, too',
    file: 'server/src/outbound/resolve.ts',
    text: '!candidates.every(({ address }) => networks.isOpen(address))',
    planted: '!candidates.some(({ address }) => networks.isOpen(address))',
    seenBy: [
      'src/outbound/post.test.ts',
      'no closed address is connected to: as a literal, by name, by alias, in a mixed answer, or in a second answer',
    ],
    before: 'This code did not exist',
  },
  {
    fault: 'The signature of a webhook is not over its time',
    file: 'server/src/outbound/sign.ts',
    text: '.update(`${id}.${seconds}.${body}`)',
    planted: '.update(`${id}.${body}`)',
    seenBy: ['src/outbound/sign.test.ts', 'a signature of known input is a known one'],
    before: 'This code did not exist',
  },
  {
    fault: 'A statement of one company goes to all machines of a cluster',
    file: 'server/src/resources/users/queries.ts',
    text: 'WHERE company_id = ${company_id} AND external_id = ${external_id} AND date_archived IS NULL\n',
    planted: 'WHERE (company_id = ${company_id} OR version < 0) AND external_id = ${external_id} AND date_archived IS NULL\n',
    seenBy: ['test/routing.test.ts', 'on Citus, every statement of an operation in one company is one task'],
    before: ['test/routing.test.ts', 'on Citus, every statement of an operation in one company is one task'],
    target: 'citus',
  },
  {
    fault: 'HTML in a page of the documentation is shown as HTML',
    file: 'server/src/pages/markdown.ts',
    text: "html: () => '',",
    planted: 'html: ({ text }: Tokens.HTML | Tokens.Tag) => text,',
    seenBy: ['src/pages/markdown.test.ts', 'Markdown becomes HTML with anchors, scrolling tables, escaped code and no HTML of its own'],
    before: ['src/pages/markdown.test.ts', 'Markdown becomes HTML with anchors, scrolling tables, escaped code and no HTML of its own'],
  },
  {
    fault: 'The console inserts HTML that a player has written',
    file: 'console/src/markdown/render-markdown.tsx',
    text: '        <pre tabIndex={0}>\n          <code>{node.value}</code>\n        </pre>',
    planted: '        <pre dangerouslySetInnerHTML={{ __html: node.value }} />',
    seenBy: ['test/architecture.test.ts', 'the console uses the client and no other code of ours, and sets no HTML'],
    before: 'This code did not exist',
  },
  {
    fault: 'A link that a player writes runs a script in the console',
    file: 'console/src/markdown/render-markdown.tsx',
    text: '/^(https?:|mailto:)/i',
    planted: '/^(https?:|mailto:|javascript:)/i',
    seenBy: ['../console/test/chronicle.test.ts', 'hostile Markdown stays text, and pages of the chronicle are accessible'],
    before: 'This code did not exist',
  },
  {
    fault: 'The client repeats a write with another Idempotency-Key',
    file: 'client/src/transport.ts',
    text: 'read(await this.open(request, headers, limited))',
    planted: "read(await this.open(request, isSafe ? headers : { ...headers, 'idempotency-key': crypto.randomUUID() }, limited))",
    seenBy: [
      '../client/test/requests.test.ts',
      'a connection that is cut before the reply is repeated, with the same Idempotency-Key and body',
    ],
    before: [
      '../client/test/requests.test.ts',
      'a connection that is cut before the reply is repeated, with the same Idempotency-Key and body',
    ],
  },
  {
    fault: 'The client sends its key to the address of a redirect',
    file: 'client/src/transport.ts',
    text: "redirect: 'manual'",
    planted: "redirect: 'follow'",
    seenBy: ['../client/test/requests.test.ts', 'a redirect is not followed, so that the key stays where it is'],
    before: ['../client/test/requests.test.ts', 'a redirect is not followed, so that the key stays where it is'],
  },
  {
    fault: 'The server takes the dice engine from its source instead of from its package',
    file: 'server/src/resources/dice-rolls/create.ts',
    text: "from '@guildhall/dice/draw'",
    planted: "from '../../../../dice/src/draw.ts'",
    seenBy: ['test/architecture.test.ts', 'the server imports the engines of dice and rules as packages'],
    before: ['test/architecture.test.ts', 'the server imports the dice engine as a package'],
  },
]
