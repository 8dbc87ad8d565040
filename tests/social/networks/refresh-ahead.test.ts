import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Connection, Post } from '#social/types'
import { refreshLongLivedTokens, refreshTokensOfDuePosts } from '../../../src/social/accounts/tokens/refresh-ahead.ts'
import { revokeForgotten } from '../../../src/social/accounts/tokens/revoke-deactivated.ts'
import { raiseEnding } from '../../../src/social/raised/ending-accounts.ts'
import { eventually } from '../../boot/program.ts'
import { updateActions } from '../../../src/social/raised/update-actions.ts'
import { startThreads, type ThreadsCounterpart } from '../../counterparts/threads/index.ts'
import { startX, type XCounterpart } from '../../counterparts/x/index.ts'
import { openWorld, type World } from '../../support/world.ts'
import { networkEnv } from './support/origins.ts'

let world: World
let threads: ThreadsCounterpart
let x: XCounterpart
const day = 24 * 3600

beforeAll(async () => {
  threads = startThreads({ redirectUris: ['http://localhost/workspace/accounts/callback/threads'] })
  x = startX({ redirectUris: ['http://localhost/workspace/accounts/callback/x'] })
  world = await openWorld({ env: networkEnv({ threads, x }) })
  for (const [provider, { app }] of [
    ['threads', threads],
    ['x', x],
  ] as const) {
    const secret = { clientId: app.clientId, clientSecret: app.clientSecret }
    await world.ada.fetchJson(`PUT /api/credentials/${provider}`, { label: 'main', secret })
  }
})
afterAll(async () => {
  await Promise.all([threads.stop(), x.stop()])
  await world.close()
})

async function finish(provider: string, consent: (authorizeUrl: string) => string, externalId: string) {
  const sent = { brandId: world.ada.things.brands }
  const route = `POST /api/integrations/${provider}/connect` as const
  const { authorizeUrl } = await world.ada.fetchJson<{ authorizeUrl: string }>(route, sent, 201)
  const { pathname, search } = new URL(consent(authorizeUrl))
  await world.ada.fetch(`GET ${pathname}${search}`, undefined, { accept: 'text/html' })
  const list = `GET /api/accounts?provider=${provider}&limit=100` as const
  const { items } = await world.ada.fetchJson<{ items: Connection[] }>(list)
  return items.find(({ account }) => account.id === externalId)?.id ?? ''
}

async function connectThreads(username: string) {
  const account = threads.account(username)
  return { account, id: await finish('threads', (url) => threads.consent(url, account), account.id) }
}

async function connectX(username: string) {
  const account = x.account(username)
  return { account, id: await finish('x', (url) => x.consent(url, account), account.id) }
}

const expireIn = (id: string, seconds: number) =>
  world.database
    .sql`UPDATE social.connections SET expires_at = now() + ${seconds} * interval '1 second' WHERE id = ${id}`
const read = (id: string) => world.ada.fetchJson<Connection>(`GET /api/accounts/${id}`)
const daysLeft = async (id: string) => (Date.parse((await read(id)).expiresAt ?? '') - Date.now()) / (day * 1000)

const work = () => ({ ...world.provided, database: world.database, now: () => new Date(), input: {} })
const runHourly = () => refreshLongLivedTokens.run(work())
const runEachMinute = () => refreshTokensOfDuePosts.run(work())
const threadsRefreshes = () => threads.callsOf('graph GET /refresh_access_token').length
const xRefreshes = () => x.callsOf('api POST /2/oauth2/token').filter((call) => call.text.includes('refresh')).length

test('SOC-07 tokens of weeks are refreshed ten days ahead of expiry, once on all servers, and others are left', async () => {
  const [soon, later] = [await connectThreads('soon'), await connectThreads('later')]
  threads.clock.advance(2 * day * 1000)
  await Promise.all([expireIn(soon.id, 9 * day), expireIn(later.id, 11 * day)])
  const before = threadsRefreshes()
  await Promise.all([runHourly(), runHourly()])
  expect(threadsRefreshes()).toBe(before + 1)
  expect(Math.round(await daysLeft(soon.id))).toBe(60)
  expect(Math.round(await daysLeft(later.id))).toBe(11)
})

test('SOC-07 refresh that fails keeps the account and is tried again', async () => {
  const { id } = await connectThreads('failing')
  threads.clock.advance(2 * day * 1000)
  await expireIn(id, 9 * day)
  threads.fail('graph GET /refresh_access_token', 'server_error')
  await runHourly()
  expect([(await read(id)).health, Math.round(await daysLeft(id))]).toEqual(['ok', 9])
  await runHourly()
  expect(Math.round(await daysLeft(id))).toBe(60)
})

test('SOC-07 refused refresh signs the account out while there is time to connect it again', async () => {
  const { id, account } = await connectThreads('refused')
  await expireIn(id, 9 * day)
  threads.grants.revoke(account.id)
  await runHourly()
  expect((await read(id)).health).toBe('signed_out')
})

test('SOC-07 tokens of hours are refreshed before the posts of an account are due, and those of idle accounts are left', async () => {
  const { id } = await connectX('busy')
  await expireIn(id, 10 * 60)
  const before = xRefreshes()
  await runEachMinute()
  expect(xRefreshes()).toBe(before)
  const scheduledAt = new Date(Date.now() + 30 * 60_000).toISOString()
  const target = { connectionId: id }
  const draft = {
    brandId: world.ada.things.brands,
    provider: 'x',
    text: 'Soon',
    status: 'scheduled',
    scheduledAt,
    target,
  }
  await world.ada.fetchJson<Post>('POST /api/posts', draft, 201)
  await Promise.all([runEachMinute(), runEachMinute()])
  expect(xRefreshes()).toBe(before + 1)
  await runEachMinute()
  expect(xRefreshes()).toBe(before + 1)
})

test('SOC-46 account that was deactivated before tokens were revoked is enqueued once, where its network can revoke them', async () => {
  const [onX, onThreads, fresh] = [await connectX('old'), await connectThreads('old'), await connectX('fresh')]
  const deactivate = (id: string, days: number) => world.database.sql`
    UPDATE social.connections SET active = false, deactivated_at = now() - ${days} * interval '1 day' WHERE id = ${id}`
  await Promise.all([deactivate(onX.id, 3), deactivate(onThreads.id, 3), deactivate(fresh.id, 1)])
  for (const _ of ['first', 'second']) await revokeForgotten.run(work())
  const enqueued = await world.database.sql<{ id: string }[]>`
    SELECT data ->> 'id' AS id FROM pgboss.job WHERE name = 'social.revoke-deactivated-account'`
  expect([...enqueued]).toEqual([{ id: onX.id }])
})

test('SOC-07 sign-in that can’t be renewed raises an action a week before its end, an urgent one a day before, until it is connected again', async () => {
  await world.provided.queue.work([updateActions], world.provided, () => new Date())
  const { account, id } = await connectThreads('ending')
  const endIn = (seconds: number) =>
    world.database
      .sql`UPDATE social.connections SET sign_in_ends_at = now() + ${seconds} * interval '1 second' WHERE id = ${id}`
  const kinds = async () => {
    const rows = await world.database.sql<{ kind: string }[]>`SELECT kind FROM platform.raised_actions
      WHERE resolved_at IS NULL AND href = ${`/workspace/accounts/${id}`}`
    return rows.map(({ kind }) => kind).join()
  }
  const raises = async (wanted: string) => {
    await raiseEnding.run(work())
    return eventually(async () => (await kinds()) === wanted)
  }
  await endIn(8 * day)
  expect(await raises('')).toBe(true)
  await endIn(6 * day)
  expect(await raises('social.account_ending')).toBe(true)
  await endIn(day / 2)
  expect(await raises('social.account_ends_tomorrow')).toBe(true)
  expect((await world.ada.fetchJson<Connection>(`GET /api/accounts/${id}`)).signInEndsAt).not.toBeNull()
  await finish('threads', (url) => threads.consent(url, account), account.id)
  expect(await eventually(async () => (await kinds()) === '')).toBe(true)
})
