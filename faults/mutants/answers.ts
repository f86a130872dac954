// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are source code.

import type { Mutant } from './mutant.ts'

/** Faults in what is answered, counted and described. */
export const answers: Mutant[] = [
  {
    fault: 'A PUT that creates something is answered with 200',
    file: 'server/src/http/request/answer.ts',
    text: "return method === 'PUT' && before === null ? 201 : declared",
    planted: 'return declared',
    seenBy: ['src/resources/users/link.test.ts', 'a bot links a user in one call, and gets the same user again'],
    before: ['src/resources/users/link.test.ts', 'a bot links a user in one call, and gets the same user again'],
  },
  {
    fault: 'An answer has a header that openapi.json does not describe',
    file: 'server/src/http/request/answer.ts',
    text: "if (replayed) reply.header('idempotent-replayed', 'true')",
    planted: "reply.header('idempotent-replayed', String(Boolean(replayed)))",
    seenBy: ['test/conformance.test.ts', 'users.get: answers with the declared status, schema and headers'],
    before: ['test/conformance.test.ts', 'users.create: replays the reply to an Idempotency-Key, and rejects the key with another body'],
  },
  {
    fault: 'A page by cursor skips the items that have the same name as the last one',
    file: 'server/src/db/list.ts',
    text: '(${key}, ${id}) ${compared} (${place.key}, ${place.id})',
    planted: '(${key}, ${id}) ${compared} (${place.key}, ${id})',
    seenBy: ['test/cursor-walks.test.ts', 'the order of ties, and exact times, survive the cursor'],
    before: ['test/cursor-walks.test.ts', 'the order of ties, and exact times, survive the cursor'],
  },
  {
    fault: 'Requests of recalled callers are not counted for the rate limit',
    file: 'server/src/http/session.ts',
    text: '      this.#authorize(plan)\n      await this.#countRequest()\n',
    planted: '      this.#authorize(plan)\n',
    seenBy: ['test/caller-cache.test.ts', 'a recalled caller gets the same errors as an unknown caller, and each request counts once'],
    before: ['test/caller-cache.test.ts', 'a recalled caller gets the same errors as an unknown caller, and each request counts once'],
  },
  {
    fault: 'The ETag of a compressed reply is not recognized when it comes back',
    file: 'server/src/http/request/etag.ts',
    text: "header.split(',').map((tag) => tag.trim().replace(/^W\\//, ''))",
    planted: "header.split(',').map((tag) => tag.trim())",
    seenBy: ['test/compression.test.ts', 'fetch decompresses by itself, and sends the ETag back'],
    before: ['test/compression.test.ts', 'fetch decompresses by itself, and sends the ETag back'],
  },
  {
    fault: 'A text with U+0000 reaches the database',
    file: 'server/src/http/request/body.ts',
    text: "!text.includes('\\0') && text.isWellFormed()",
    planted: 'text.isWellFormed()',
    seenBy: ['test/naughty.test.ts', 'users.create: returns naughty text unchanged, or answers 400'],
    before: ['test/naughty.test.ts', 'users.create: returns naughty text unchanged, or answers 400'],
  },
  {
    fault: 'Dice use the low byte of a word only, so that large ones fall unevenly',
    file: 'dice/src/draw.ts',
    text: 'const face = word % sides',
    planted: 'const face = (word & 0xff) % sides',
    seenBy: ['../dice/src/draw.test.ts', 'all faces are equally likely: chi-square over 100000 dice of each size'],
    before: ['../dice/src/draw.test.ts', 'all faces are equally likely: chi-square over a million dice of each size'],
  },
  {
    fault: 'A product in a formula leaves the range of results',
    file: 'rules/src/formula/compute.ts',
    text: "'*': (left, right) => bounded(left * right)",
    planted: "'*': (left, right) => left * right",
    seenBy: ['../rules/src/formula/formula.test.ts', 'formulas have the results of exact arithmetic that is cut to the range'],
    before: 'This code did not exist',
  },
  {
    fault: 'An event is in the catalog, and no operation declares it',
    file: 'server/src/resources/users/routes.ts',
    text: "emits: ['user.restored'],",
    planted: 'emits: [],',
    seenBy: [
      'src/resources/changes/types.test.ts',
      'every type of the catalog is declared by an operation, or written by maintenance or a command',
    ],
    before: ['src/resources/changes/types.test.ts', 'every type of the catalog is declared by an operation or written by maintenance'],
  },
]
