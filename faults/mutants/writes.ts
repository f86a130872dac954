// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are source code.

import type { Mutant } from './mutant.ts'

/** Faults in writes that are repeated, parallel or recorded. */
export const writes: Mutant[] = [
  {
    fault: 'A planned campaign becomes completed',
    file: 'server/src/resources/campaigns/rules.ts',
    text: "PLANNED: ['ACTIVE'],",
    planted: "PLANNED: ['ACTIVE', 'COMPLETED'],",
    seenBy: ['src/resources/campaigns/rules.test.ts', 'a status changes only along the allowed transitions, and the refusal names them'],
    before: ['src/resources/campaigns/rules.test.ts', 'a status changes only along the allowed transitions, and the refusal names them'],
  },
  {
    fault: 'The main event of a write is not recorded',
    file: 'server/src/http/request/events.ts',
    text: 'return [...(type ? [{ ...outcome, type }] : []), ...(outcome.sideEvents ?? [])]',
    planted: 'return type ? (outcome.sideEvents ?? []) : []',
    seenBy: ['test/conformance.test.ts', 'users.update: records its event with the developer who called'],
    before: ['test/conformance.test.ts', 'users.update: records its event with the developer who called'],
  },
  {
    fault: 'An Idempotency-Key is not claimed before the work',
    file: 'server/src/http/serve.ts',
    text: '      if (claim) claimKey(tx, claim) // 409\n',
    planted: '',
    seenBy: ['test/processes.test.ts', 'a hundred identical requests to two processes create one row and get equal replies'],
    before: ['test/processes.test.ts', 'a hundred identical requests to two processes create one row and get equal replies'],
  },
  {
    fault: 'Of 300 duplicates only 30 may wait for the reply of the first',
    file: 'server/src/http/request/idempotency.ts',
    text: 'if (waiting >= MAX_WAITING_DUPLICATES) inProgress()',
    planted: 'if (waiting >= MAX_WAITING_DUPLICATES / 10) inProgress()',
    seenBy: ['test/idempotency.test.ts', '300 duplicates wait for the reply of the first, and hold no connection; further ones get 409'],
    before: ['test/idempotency.test.ts', 'answers 250 concurrent duplicates with the reply of the first'],
  },
  {
    fault: 'The stored reply of a write whose COMMIT got no answer is not looked up',
    file: 'server/src/http/request/idempotency.ts',
    text: 'known = await lookUpReply(this.#db, claim)',
    planted: 'known = null',
    seenBy: ['test/client.test.ts', 'a write with an Idempotency-Key looks for its stored reply before it gives up'],
    before: ['test/client.test.ts', 'a write with an Idempotency-Key looks for its stored reply before it gives up'],
  },
  {
    fault: 'If-Match is not compared',
    file: 'server/src/http/serve.ts',
    text: "      if (plan.readsIfMatch) checkMatch(request.headers['if-match'], outcome.matched ?? outcome.before) // 412\n",
    planted: '',
    seenBy: [
      'test/conformance.test.ts',
      'users.update: answers 412 to the If-Match of another version and 400 to a malformed one, and writes no event',
    ],
    before: [
      'test/conformance.test.ts',
      'users.update: answers 412 to the If-Match of another version and 400 to a malformed one, and writes no event',
    ],
  },
  {
    fault: 'Trackers are moved without a lock',
    file: 'server/src/resources/trackers/queries.ts',
    text: 'const rows = await movableRows(db, context, keys, sql`FOR NO KEY UPDATE`)',
    planted: 'const rows = await movableRows(db, context, keys)',
    seenBy: [
      'src/resources/trackers/trackers.test.ts',
      '200 parallel adjustments of +1 on 0 to 100, on two processes: 100 count, 100 are rejected, and one fills the tracker',
    ],
    before: [
      'src/resources/trackers/trackers.test.ts',
      '200 parallel adjustments of +1 on 0 to 100, on two processes: 100 count, 100 are rejected, and one fills the tracker',
    ],
  },
  {
    fault: 'More experience is spent than there is',
    file: 'server/src/resources/experience/balances.ts',
    text: 'SET spent = b.spent + ${amount} WHERE ${is} AND b.earned - b.spent >= ${amount} RETURNING',
    planted: 'SET spent = b.spent + ${amount} WHERE ${is} RETURNING',
    seenBy: [
      'src/resources/experience/experience.test.ts',
      'of a hundred concurrent spends of 10 from 500, on two processes, fifty succeed',
    ],
    before: [
      'src/resources/experience/experience.test.ts',
      'of a hundred concurrent spends of 10 from 500, on two processes, fifty succeed',
    ],
  },
  {
    fault: 'Several rolls of a request take one nonce',
    file: 'server/src/resources/dice-rolls/context.ts',
    text: 'SET nonce = seed.nonce + ${count}::int FROM here',
    planted: 'SET nonce = seed.nonce + least(${count}::int, 1) FROM here',
    seenBy: ['src/resources/dice-rolls/groups.test.ts', 'groups on two processes take nonces without gaps or repeats'],
    before: ['src/resources/dice-rolls/groups.test.ts', 'groups on two processes take nonces without gaps or repeats'],
  },
  {
    fault: 'Books are numbered without a lock on their campaign',
    file: 'server/src/db/numbered.ts',
    text: 'AND id = ${parent_id} FOR NO KEY UPDATE`)',
    planted: 'AND id = ${parent_id}`)',
    seenBy: ['src/resources/books/books.test.ts', 'books created at once get different numbers'],
    before: ['src/resources/books/books.test.ts', 'books created at once get different numbers'],
  },
  {
    fault: 'Of two ADMINs, both can be demoted at once',
    file: 'server/src/resources/users/queries.ts',
    text: '  if (patch.role !== undefined) await lockCompany(db, company_id)\n',
    planted: '',
    seenBy: ['test/processes.test.ts', 'the last ADMIN stays if two are demoted at once'],
    before: ['test/processes.test.ts', 'the last ADMIN stays if two are demoted at once'],
  },
  {
    fault: 'Something is written below a campaign that was archived a moment before',
    file: 'server/src/http/serve.ts',
    text: '      holdParents(tx, plan, tenantOf(session), known.pathRows) // 404 409\n',
    planted: '',
    seenBy: ['src/resources/campaigns/campaigns.test.ts', 'nothing is written below a campaign that was archived a moment before'],
    before: ['src/resources/campaigns/campaigns.test.ts', 'nothing is written below a campaign that was archived a moment before'],
  },
  {
    fault: 'A write whose client has disconnected is executed',
    file: 'server/src/http/serve.ts',
    text: '    const work = async (tx: Tx) => {\n      refuseAbandoned(request) // 499\n',
    planted: '    const work = async (tx: Tx) => {\n',
    seenBy: ['test/overload.test.ts', 'a write whose client has disconnected is not executed'],
    before: ['test/overload.test.ts', 'a write whose client has disconnected is not executed'],
  },
  {
    fault: 'The message with which the database ends a connection is taken for an error of the statement',
    file: 'server/src/db/driver/connection-errors.ts',
    text: 'const STATES = /^(08|57P0[1-5])/',
    planted: 'const STATES = /^(08|57P0[2-5])/',
    seenBy: [
      'test/client.test.ts',
      'a connection that the database ends before COMMIT means that nothing was done, though COMMIT was sent: the work is repeated',
    ],
    before: [
      'test/client.test.ts',
      'a connection that the database ends before COMMIT means that nothing was done, though COMMIT was sent',
    ],
  },
]
