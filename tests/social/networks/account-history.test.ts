import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { AccountHistory, ConnectionDetails } from '#social/types'
import { deleteExpired } from '../../../src/social/erasure/jobs.ts'
import { startX, type XCounterpart } from '../../counterparts/x/index.ts'
import { openWorld, type Caller, type World } from '../../support/world.ts'
import { networkEnv } from './support/origins.ts'

let world: World
let x: XCounterpart

beforeAll(async () => {
  x = startX({ redirectUris: ['http://localhost/workspace/accounts/callback/x'] })
  world = await openWorld({ env: networkEnv({ x }) })
  const { clientId, clientSecret } = x.app
  await world.ada.fetchJson('PUT /api/credentials/x', { label: 'main', secret: { clientId, clientSecret } })
})
afterAll(async () => {
  await x.stop()
  await world.close()
})

async function connect(
  username: string,
  account = x.account(username),
  brandId = world.ada.things.brands,
): Promise<string> {
  const { authorizeUrl } = await world.ada.fetchJson<{ authorizeUrl: string }>(
    'POST /api/integrations/x/connect',
    { brandId },
    201,
  )
  const { pathname, search } = new URL(x.consent(authorizeUrl, account))
  await world.ada.fetch(`GET ${pathname}${search}`, undefined, { accept: 'text/html' })
  const { items } = await world.ada.fetchJson<{ items: ConnectionDetails[] }>('GET /api/accounts?provider=x&limit=100')
  return items.find((item) => item.account.id === account.id)?.id ?? ''
}

const historyOf = (id: string, query = '') =>
  world.ada.fetchJson<AccountHistory>(`GET /api/accounts/${id}/history${query}`)
const read = (id: string) => world.ada.fetchJson<ConnectionDetails>(`GET /api/accounts/${id}`)
const kindsOf = ({ items }: AccountHistory) => items.map(({ kind }) => kind)
const draw = async (path: string) => (await world.ada.fetch(`GET ${path}`, undefined, { accept: 'text/html' })).text()

async function refresh(id: string, status: number): Promise<void> {
  await world.database.sql`UPDATE social.connections SET expires_at = now() WHERE id = ${id}`
  const gateway: Caller = world.socialServices['platform-gateway'] ?? world.stranger
  expect((await gateway.fetch(`POST /api/internal/connections/${id}/refresh`, {})).status).toBe(status)
}

test('SOC-46 history of an account has each change of its access, newest first, and a person’s name', async () => {
  const account = x.account('history')
  const id = await connect('history', account)
  await refresh(id, 200)
  await refresh(id, 200)
  x.fail('api POST /2/oauth2/token', 'server_error')
  await refresh(id, 502)
  await world.ada.fetchJson('POST /api/publishing/pause', { connectionId: id })
  await world.ada.fetchJson('POST /api/publishing/resume', { connectionId: id })
  x.grants.revoke(account.id)
  await refresh(id, 409)
  await connect('history', account)
  await world.ada.fetchJson(`POST /api/accounts/${id}/deactivate`)
  const history = await historyOf(id)
  expect(kindsOf(history)).toEqual([
    ...(['deactivated', 'reconnected', 'signed_out', 'resumed', 'paused'] as const),
    ...(['refresh_failed', 'refreshed', 'connected'] as const),
  ])
  const byKind = new Map(history.items.map((event) => [event.kind, event]))
  for (const kind of ['connected', 'reconnected', 'paused', 'resumed', 'deactivated'] as const)
    expect(byKind.get(kind)).toMatchObject({ person: { id: world.ada.id, name: expect.any(String) }, message: null })
  for (const kind of ['refresh_failed', 'signed_out'] as const)
    expect(byKind.get(kind)).toMatchObject({ person: null, message: expect.stringContaining('X') })
  const { times, firstAt = '', at = '' } = byKind.get('refreshed') ?? {}
  expect([times, Date.parse(at) > Date.parse(firstAt)]).toEqual([2, true])
})

test('SOC-46 deactivating a deactivated account adds nothing to its history', async () => {
  const id = await connect('twice')
  for (let calls = 0; calls < 2; calls++) await world.ada.fetchJson(`POST /api/accounts/${id}/deactivate`)
  expect(kindsOf(await historyOf(id))).toEqual(['deactivated', 'connected'])
})

test('SOC-46 refreshes and failures that alternate are one event each, with the last message', async () => {
  const id = await connect('flaky')
  for (const failure of ['server_error', 'temporarily_unavailable'] as const) {
    await refresh(id, 200)
    x.fail('api POST /2/oauth2/token', 'server_error')
    await refresh(id, 502)
    await world.database.sql`
      UPDATE social.account_events SET message = ${failure} WHERE connection_id = ${id} AND kind = 'refresh_failed'`
  }
  x.fail('api POST /2/oauth2/token', 'server_error')
  await refresh(id, 502)
  const { items } = await historyOf(id)
  expect(items.map(({ kind, times }) => [kind, times])).toEqual([
    ['refresh_failed', 3],
    ['refreshed', 2],
    ['connected', 1],
  ])
  expect(items[0]?.message).toContain('X')
})

test('SOC-46 event of an account is deleted a year after it last happened', async () => {
  const id = await connect('aging')
  await refresh(id, 200)
  const lastDays = async (days: number) => {
    await world.database.sql`
      UPDATE social.account_events SET first_at = now() - interval '3 years', at = now() - ${days} * interval '1 day'
      WHERE connection_id = ${id} AND kind = 'refreshed'`
    await deleteExpired.run({ ...world.provided, database: world.database, input: {}, now: () => new Date() })
    return kindsOf(await historyOf(id)).toSorted()
  }
  expect(await lastDays(364)).toEqual(['connected', 'refreshed'])
  expect(await lastDays(366)).toEqual(['connected'])
})

test('SOC-02 history of an account in a transferred brand names no one of the former organization', async () => {
  const { sql } = world.database
  const umbrella = world.mallory.things.organizations
  const form = { name: 'Moved', slug: `m-${crypto.randomUUID()}` }
  const { id: brandId } = await world.ada.fetchJson<{ id: string }>('POST /api/brands', form, 201)
  const id = await connect('moved', undefined, brandId)
  await sql`INSERT INTO identity.memberships (organization_id, user_id, role, created_at)
    VALUES (${umbrella}, ${world.ada.id}, 'admin', now())`
  await world.ada.fetchJson(`POST /api/brands/${brandId}/transfer-organization`, { targetOrganizationId: umbrella })
  await sql`DELETE FROM identity.memberships WHERE organization_id = ${umbrella} AND user_id = ${world.ada.id}`
  await world.mallory.fetchJson('POST /api/publishing/pause', { connectionId: id })
  const { items } = await world.mallory.fetchJson<AccountHistory>(`GET /api/accounts/${id}/history`)
  expect(items.map(({ kind, person }) => [kind, person])).toEqual([
    ['paused', { id: world.mallory.id, name: expect.any(String) }],
    ['connected', { id: world.ada.id, name: null }],
  ])
})

test('PLT-12 history of an account is paged, on its page, too', async () => {
  const id = await connect('pages')
  for (let calls = 0; calls < 6; calls++)
    for (const action of ['pause', 'resume'])
      await world.ada.fetchJson(`POST /api/publishing/${action}`, { connectionId: id })
  const all = await historyOf(id)
  expect([all.items.length, all.nextCursor]).toEqual([13, null])
  const first = await historyOf(id, '?limit=10')
  const second = await historyOf(id, `?limit=10&cursor=${first.nextCursor}`)
  expect([...first.items, ...second.items]).toEqual(all.items)
  const page = await draw(`/workspace/accounts/${id}`)
  expect([page.match(/<b[^>]*>Paused by /g)?.length, page.includes('>Connected by ')]).toEqual([5, false])
  const [, next = ''] = /href="([^"]*)"[^>]*rel="next"|rel="next"[^>]*href="([^"]*)"/.exec(page)?.filter(Boolean) ?? []
  expect(await draw(next.replaceAll('&amp;', '&'))).toContain('>Connected by ')
})

test('IDN-20 history of an account is only its organization’s', async () => {
  const id = await connect('tenant')
  for (const [caller, status] of [
    [world.mallory, 404],
    [world.stranger, 401],
  ] as const)
    expect((await caller.fetch(`GET /api/accounts/${id}/history`)).status).toBe(status)
})

test('SOC-46 page of an account without events says so', async () => {
  const id = await connect('empty')
  await world.database.sql`DELETE FROM social.account_events WHERE connection_id = ${id}`
  expect(await historyOf(id)).toEqual({ items: [], nextCursor: null })
  expect(await draw(`/workspace/accounts/${id}`)).toContain('Nothing recorded yet.')
})

/** Attempts of a draft, as publishing stores them. */
async function addAttempts(
  connectionId: string,
  ages: number[],
  { state = 'published', brandId = world.ada.things.brands } = {},
): Promise<void> {
  const { database, ada } = world
  const [row] = await database.sql<{ external_id: string }[]>`
    SELECT external_id FROM social.connections WHERE id = ${connectionId}`
  const account = row?.external_id ?? ''
  for (const minutes of ages)
    await database.sql`
      INSERT INTO social.publish_attempts (id, brand_id, post_id, number, connection_id, provider, external_account,
        state, retry_safety, payload_hash, payload, lease_owner, started_at, settled_at)
      SELECT gen_random_uuid(), ${brandId}, ${ada.things.posts},
        (SELECT coalesce(max(number), 0) + 1 FROM social.publish_attempts WHERE post_id = ${ada.things.posts}),
        ${connectionId}, 'x', ${account}, ${state}, 'reconcile_only', '', '{"text":"Hello","replyTo":null}', gen_random_uuid(),
        now() - ${minutes} * interval '1 minute', now()`
}

test('SOC-46 limits of an account count its posts in the window of its network, and all of the app', async () => {
  const [one, other] = [await connect('limits'), await connect('colleague')]
  await addAttempts(one, [1, 5, 60])
  await addAttempts(one, [1], { state: 'failed' })
  await addAttempts(other, [10, 30 * 60])
  const { quotas, throttledUntil } = await read(one)
  expect(throttledUntil).toBeNull()
  expect(quotas).toMatchObject([
    { counts: 'posts', per: 'account', used: 2, total: 100, windowSeconds: 900, timeZone: null, reportedAt: null },
    { counts: 'posts', per: 'app', used: 4, total: 10_000, windowSeconds: 86_400 },
  ])
  const leftMinutes = quotas.map(({ resetsAt }) => (Date.parse(resetsAt ?? '') - Date.now()) / 60_000)
  expect(leftMinutes.map((minutes) => Math.round(minutes / 5) * 5)).toEqual([10, 23 * 60])
  const page = await draw(`/workspace/accounts/${one}`)
  for (const words of ['Posts in 15 minutes', '2 of 100 used', 'all your accounts of the app', '4 of 10,000 used'])
    expect(page).toContain(words)
})

test('SOC-46 IDN-27 caller limited to a brand doesn’t see how much other brands used of a limit', async () => {
  const { brands } = world.ada.things
  const form = { name: 'Apart', slug: `a-${crypto.randomUUID()}` }
  const { id: brandId } = await world.ada.fetchJson<{ id: string }>('POST /api/brands', form, 201)
  const own = await connect('apart')
  const other = await connect('apart_other', undefined, brandId)
  await addAttempts(own, [1])
  await addAttempts(other, [5], { brandId })
  const key = (...ids: string[]) =>
    world.ada.createKey({
      scopes: ['accounts.read', 'posts.read'],
      bindings: ids.map((bound) => ({ kind: 'brand', id: bound })),
    })
  const ask = async (caller: Pick<Caller, 'fetchJson'>) =>
    (await caller.fetchJson<ConnectionDetails>(`GET /api/accounts/${own}`)).quotas
  const time = expect.stringMatching(/Z$/)
  const ofAccount = { per: 'account', used: 1, resetsAt: time }
  expect(await ask(await key(brands))).toMatchObject([ofAccount, { per: 'app', used: null, resetsAt: null }])
  const [, ofApp] = await ask(world.ada)
  expect(ofApp).toMatchObject({ per: 'app', used: expect.any(Number), resetsAt: time })
  expect((await ask(await key(brands, brandId)))[1]).toMatchObject({ used: ofApp?.used })
})

test('SOC-46 account that nothing was published to has used nothing of its limits', async () => {
  const [quota] = (await read(await connect('unused'))).quotas
  expect(quota).toMatchObject({ used: 0, resetsAt: null })
})

test('SOC-25 account that its network throttles says until when', async () => {
  const id = await connect('throttled')
  const until = new Date(Date.now() + 600_000)
  await world.database.sql`
    INSERT INTO social.rate_windows (provider, host, account, opens_at)
    SELECT provider, host, external_id, ${until} FROM social.connections WHERE id = ${id}`
  expect((await read(id)).throttledUntil).toBe(until.toISOString())
  expect(await draw(`/workspace/accounts/${id}`)).toContain('takes no posts from this account until')
})
