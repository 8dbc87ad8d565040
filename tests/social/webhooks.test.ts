import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { newId } from '#lib/ids.ts'
import { renewTokens } from '../../src/social/accounts/tokens/tokens.ts'
import { networkOf } from '../../src/social/networks/index.ts'
import { outsideOf } from '../../src/social/networks/outside.ts'
import { prepareAttempt } from '../../src/social/publishing/prepare-attempt.ts'
import { fail, postpone, settle } from '../../src/social/publishing/settle.ts'
import { openWorld, type World } from '../support/world.ts'

let world: World
let endpointId: string
const telling = () => ({ ...world.provided, now: () => new Date() })

beforeAll(async () => {
  world = await openWorld()
  const events = ['post.published', 'post.failed', 'connection.needs_attention']
  const draft = { name: 'All', url: 'https://shop.example.com/all', events }
  endpointId = (await world.ada.fetchJson<{ id: string }>('POST /api/webhooks', draft, 201)).id
})
afterAll(() => world.close())
beforeEach(async () => {
  await world.database.sql`DELETE FROM platform.webhook_messages`
})

/** The deliveries to the endpoint. */
async function sent(): Promise<{ type: string; data: Record<string, unknown> }[]> {
  const rows = await world.database.sql<{ body: string }[]>`
    SELECT m.body FROM platform.webhook_messages m JOIN platform.webhook_deliveries d ON d.message_id = m.id
    WHERE d.endpoint_id = ${endpointId} ORDER BY m.id`
  return rows.map(({ body }) => JSON.parse(body))
}

const about = (postId: string) => ({ postId, brandId: world.ada.things.brands, provider: 'sandbox' })

test('SOC-38 post.published is emitted when the attempt is settled, and not before', async () => {
  const { database, ada } = world
  const { scheduled } = ada.things
  const owner = newId()
  await database.sql`
    UPDATE social.posts SET scheduled_at = now() - interval '1 second', lease_owner = ${owner},
      due_at = now() + interval '1 minute' WHERE id = ${scheduled}`
  const decision = await database.transaction((tx) => prepareAttempt(tx, scheduled, owner, null))
  if (decision.kind !== 'send') throw new Error(`The post is not sent: ${decision.kind}`)
  expect(await sent()).toEqual([])
  const receipt = { platformPostId: '7', permalink: 'https://sandbox.example/7' }
  const ending = { kind: 'published', receipt } as const
  expect(await database.transaction((tx) => settle(tx, telling(), decision, ending))).toBe(true)
  const data = { ...about(scheduled), ...receipt, threadId: null, publishedAt: expect.any(String) }
  expect(await sent()).toEqual([{ type: 'post.published', timestamp: expect.any(String), data }] as never)
  expect(await database.transaction((tx) => settle(tx, telling(), decision, ending))).toBe(false)
  expect(await sent()).toHaveLength(1)
})

test('SOC-38 post.failed contains the reason; a waiting post emits nothing', async () => {
  const { database, ada } = world
  const { part, threads } = ada.things
  await database.transaction((tx) => postpone(tx, telling(), part, { reason: 'account_busy' }))
  expect(await sent()).toEqual([])
  const failure = { code: 'provider_refused', message: 'Too long.', retryable: true }
  await database.transaction((tx) => fail(tx, telling(), part, failure))
  const data = { ...about(part), threadId: threads, ...failure, failedAt: expect.any(String) }
  expect(await sent()).toEqual([{ type: 'post.failed', timestamp: expect.any(String), data }] as never)
})

test('SOC-38 connection.needs_attention is emitted once when a network signs an account out', async () => {
  const { database, provided, ada } = world
  const { accounts, brands } = ada.things
  const sandbox = networkOf('sandbox')
  if (!sandbox) throw new Error('There is no sandbox')
  const signOut = () =>
    renewTokens({
      emitting: telling(),
      database,
      secrets: provided.secrets,
      credentials: provided.gateway.social,
      outside: outsideOf(provided.config, 'http://localhost', provided.outbound),
      network: { ...sandbox, renew: async () => ({ kind: 'signed_out', message: 'Revoked.' }) },
      connectionId: accounts,
      refused: { externalId: 'acme', metadata: {}, tokens: {} },
      message: 'The token was revoked.',
      timeoutMs: 10_000,
    })
  expect(await signOut()).toMatchObject({ kind: 'signed_out' })
  expect(await signOut()).toMatchObject({ kind: 'signed_out' })
  const data = { connectionId: accounts, brandId: brands, provider: 'sandbox', name: expect.any(String) }
  expect(await sent()).toEqual([{ type: 'connection.needs_attention', timestamp: expect.any(String), data }] as never)
})
