import { afterAll, beforeAll, expect, test } from 'bun:test'
import { newId } from '#lib/ids.ts'
import { createHandlingJob } from '#lib/incoming-webhooks/handle.ts'
import { checkPayment, sweepPayments } from '../../src/payments/checkout/sweep.ts'
import { checkRefundJob } from '../../src/payments/refunds/sweep.ts'
import { findLostOfEndpoint } from '../../src/payments/webhooks/jobs.ts'
import { stripeEvents } from '../../src/payments/webhooks/receive.ts'
import { openWorld, type World } from '../support/world.ts'
import { shopOf } from './shop.ts'

let world: World

beforeAll(async () => void (world = await openWorld()))
afterAll(() => world.close())

type Enqueue = (organizationId: string) => Promise<void>

const queues: [name: string, Enqueue][] = [
  [
    'payments.stripe',
    (organizationId) => enqueue(createHandlingJob(stripeEvents), { id: newId(), round: 1, organizationId }),
  ],
  ['payments.check-payment', (organizationId) => enqueue(checkPayment, { paymentId: newId(), organizationId })],
  ['payments.check-refund', (organizationId) => enqueue(checkRefundJob, { refundId: newId(), organizationId })],
  [
    'payments.find-lost-events-of-endpoint',
    (organizationId) => enqueue(findLostOfEndpoint, { endpointId: newId(), organizationId }),
  ],
]

const enqueue: World['provided']['queue']['enqueue'] extends (db: never, ...rest: infer Rest) => Promise<void>
  ? (...rest: Rest) => Promise<void>
  : never = (job, input, options) => world.provided.queue.enqueue(world.database.db, job, input, options)

test.each(queues)(
  'PAY-20 PLT-30 10,000 jobs of one organization in %s don’t delay those of another',
  async (name, add) => {
    const { sql } = world.database
    const [large, small] = [world.ada.things.organizations, world.mallory.things.organizations]
    await add(large)
    await add(large)
    // As more of them would be: each a minute behind the one before.
    await sql`
    INSERT INTO pgboss.job (id, name, data, group_id, priority, policy, singleton_key, retry_limit, retry_delay, expire_seconds, start_after)
    SELECT gen_random_uuid(), name, data, group_id, priority - 60 * least(at, 1000), policy, at::text, retry_limit, retry_delay, expire_seconds, start_after
    FROM pgboss.job, generate_series(1, 10000) AS at
    WHERE id = (SELECT id FROM pgboss.job WHERE name = ${name} ORDER BY priority LIMIT 1)`
    await add(small)
    const first = await sql<{ group_id: string }[]>`
    SELECT group_id FROM pgboss.job WHERE name = ${name} AND state = 'created' ORDER BY priority DESC, created_on, id LIMIT 3`
    expect(first.map(({ group_id }) => group_id)).toContain(small)
  },
)

test('PLT-30 sweep takes due payments of every organization, however many one has', async () => {
  const { sql } = world.database
  const [mine, theirs] = await Promise.all(
    [world.ada, world.mallory].map(async (owner) => {
      const shop = shopOf(owner, world.stranger)
      return shop.createPayment((await shop.createOrder()).id)
    }),
  )
  await sql`
    INSERT INTO payments.payments
    SELECT (jsonb_populate_record(payment, jsonb_build_object('id', gen_random_uuid(), 'receipt_token', md5(at::text) || 'abcdefghijk',
      'status', 'failed', 'checkout_session_id', null, 'payment_intent_id', null, 'next_check_at', now() - interval '1 day'))).*
    FROM payments.payments AS payment, generate_series(1, 150) AS at WHERE id = ${mine?.id ?? ''}`
  await sql`UPDATE payments.payments SET next_check_at = now() - interval '1 second' WHERE id = ${theirs?.id ?? ''}`
  await sql`DELETE FROM pgboss.job WHERE name = 'payments.check-payment'`
  await sweepPayments.run({ ...world.provided, database: world.database, now: () => new Date(), input: {} })
  const jobs = await sql<{ payment: string }[]>`
    SELECT data ->> 'paymentId' AS payment FROM pgboss.job WHERE name = 'payments.check-payment'`
  expect(jobs.map(({ payment }) => payment)).toContain(theirs?.id ?? '')
})
