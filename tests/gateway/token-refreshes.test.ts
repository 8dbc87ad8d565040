import { afterAll, beforeAll, expect, test } from 'bun:test'
import { newId } from '#lib/ids.ts'
import { eraseOrganizationData } from '#lib/tenant-data/erase.ts'
import { deleteExpired } from '../../src/gateway/jobs.ts'
import { gatewayData } from '../../src/gateway/tenant-data.ts'
import { startX, type XCounterpart } from '../counterparts/x/index.ts'
import { startYouTube, type YouTubeCounterpart } from '../counterparts/youtube/index.ts'
import { networkEnv } from '../social/networks/support/origins.ts'
import { openWorld, type World } from '../support/world.ts'

// X accepts each refresh token once. Its response is stored until the service that asked for it has it.

let world: World
let x: XCounterpart
let youtube: YouTubeCounterpart

beforeAll(async () => {
  x = startX()
  youtube = startYouTube()
  world = await openWorld({ env: networkEnv({ x, youtube }) })
  for (const [provider, { app }] of [
    ['x', x],
    ['youtube', youtube],
  ] as const) {
    const secret = { clientId: app.clientId, clientSecret: app.clientSecret }
    for (const owner of [world.ada, world.mallory])
      await owner.fetchJson(`PUT /api/credentials/${provider}`, { label: 'main', secret })
  }
})
afterAll(async () => {
  await Promise.all([x.stop(), youtube.stop()])
  await world.close()
})

interface Tokens {
  accessToken: string
  refreshToken: string | null
  expiresInSeconds: number
}

interface Held {
  provider: 'x' | 'youtube'
  organizationId: string
  clientId: string
  account: { id: string; organizationId: string }
  refreshToken: string
}

/** What social holds of a new account of an organization on X. */
function connectX(organizationId = world.ada.things.organizations): Held & { access: string; user: string } {
  const user = x.account(`acme${newId()}`)
  const { access_token: access, refresh_token: refreshToken = '' } = x.signIn(user)
  const account = { id: newId(), organizationId }
  return { provider: 'x', organizationId, clientId: x.app.clientId, account, refreshToken, access, user: user.id }
}

interface Sent extends Omit<Held, 'refreshToken'> {
  refreshToken?: string
  token?: string
}

const send = async (route: 'refresh' | 'revoke', { provider, ...body }: Sent) => {
  const response = await world.gatewayClient.fetch(`POST /platform/social/apps/${provider}/${route}`, body)
  return { status: response.status, body: (await response.json()) as Tokens & { code: string; revoked: boolean } }
}

const refresh = ({ provider, organizationId, clientId, account, refreshToken }: Held) =>
  send('refresh', { provider, organizationId, clientId, account, refreshToken })

const refreshed = async (held: Held): Promise<Tokens & { refreshToken: string }> => {
  const { status, body } = await refresh(held)
  expect(status).toBe(200)
  return { ...body, refreshToken: body.refreshToken ?? '' }
}

const revoke = ({ provider, organizationId, clientId, account }: Held, token: string) =>
  send('revoke', { provider, organizationId, clientId, account, token })

const requests = () => x.callsOf('api POST /2/oauth2/token').length
const revocations = () =>
  x.callsOf('api POST /2/oauth2/revoke').map(({ text }) => new URLSearchParams(text).get('token'))
const rowsOf = ({ account: { id } }: Held) =>
  world.database.sql`SELECT * FROM gateway.social_token_refreshes WHERE account_id = ${id}`
const refused = { status: 409, body: { code: 'refresh_refused' } }

test('GTW-04 SOC-07 repeated refresh with a single-use token returns the same tokens, and the network is asked once', async () => {
  const held = connectX()
  const before = requests()
  x.watch(async ({ path, text }) => {
    if (path === '/2/oauth2/token' && text.includes(held.refreshToken)) await Bun.sleep(300)
  })
  const [first, ...others] = await Promise.all(Array.from({ length: 5 }, () => refreshed(held)))
  const again = await refreshed(held)
  for (const other of [...others, again])
    expect(other).toMatchObject({ accessToken: first?.accessToken, refreshToken: first?.refreshToken })
  expect(again.expiresInSeconds).toBeWithin(7_000, 7_201)
  expect(requests()).toBe(before + 1)
})

test('GTW-04 PLT-22 stored response is sealed', async () => {
  const held = connectX()
  const tokens = await refreshed(held)
  const rows = JSON.stringify(await rowsOf(held))
  expect(rows).toContain('sealed_response')
  for (const secret of [held.refreshToken, tokens.accessToken, tokens.refreshToken]) expect(rows).not.toContain(secret)
})

test('GTW-04 use of the new refresh token ends the response for the old one', async () => {
  const held = connectX()
  const next = { ...held, refreshToken: (await refreshed(held)).refreshToken }
  await refreshed(next)
  expect(await rowsOf(held)).toHaveLength(1)
  expect(await refresh(held)).toMatchObject(refused)
  expect(await refreshed(next)).toMatchObject({ refreshToken: expect.any(String) })
})

test('GTW-04 response is not returned to another organization, another account or with another app', async () => {
  const held = connectX()
  await refreshed(held)
  const { account } = held
  const theirs = world.mallory.things.organizations
  const others: Held[] = [
    { ...held, account: { ...account, organizationId: theirs } },
    { ...held, account: { ...account, id: newId() } },
    { ...held, organizationId: theirs },
  ]
  for (const other of others) expect(await refresh(other)).toMatchObject(refused)
  expect(await refreshed(held)).toMatchObject({ refreshToken: expect.any(String) })
})

test('GTW-04 SOC-46 revocation ends the response, and revokes tokens that never arrived', async () => {
  const held = connectX()
  const tokens = await refreshed(held)
  const before = revocations().length
  expect(await revoke(held, held.access)).toMatchObject({ status: 200, body: { revoked: true } })
  expect(revocations().slice(before)).toEqual([held.access, tokens.accessToken, tokens.refreshToken])
  expect(await rowsOf(held)).toHaveLength(0)
  expect(await refresh(held)).toMatchObject(refused)
})

test('GTW-04 SOC-46 revocation of tokens that arrived is one request', async () => {
  const held = connectX()
  const { accessToken } = await refreshed(held)
  const before = revocations().length
  await revoke(held, accessToken)
  expect(revocations().slice(before)).toEqual([accessToken])
  expect(await rowsOf(held)).toHaveLength(0)
})

test('GTW-04 PLT-39 response ends after a day, when it is also deleted', async () => {
  const held = connectX()
  await refreshed(held)
  const { sql } = world.database
  const age = (hours: number) => sql`
    UPDATE gateway.social_token_refreshes SET created_at = now() - ${hours} * interval '1 hour' WHERE account_id = ${held.account.id}`
  await age(23)
  await refreshed(held)
  await age(25)
  expect(await refresh(held)).toMatchObject(refused)
  const late = connectX()
  await refreshed(late)
  const job = { ...world.provided, database: world.database, input: {} }
  await deleteExpired.run({ ...job, now: () => new Date(Date.now() + 23 * 3_600_000) })
  expect(await rowsOf(late)).toHaveLength(1)
  await deleteExpired.run({ ...job, now: () => new Date(Date.now() + 25 * 3_600_000) })
  expect(await rowsOf(late)).toHaveLength(0)
})

test('GTW-04 PLT-39 removed account, one without tokens and an erased organization leave no response', async () => {
  const path = ({ account: { id } }: Held) => `/platform/social/connections/${id}` as const
  const report = ({ account: { organizationId } }: Held, version: number, hasTokens: boolean) => ({
    version,
    organizationId,
    brandId: world.ada.things.brands,
    brandName: 'Acme',
    provider: 'x',
    name: '@acme',
    host: 'x',
    health: 'inactive',
    connectedAt: '2026-11-21T10:20:00Z',
    lastUsedAt: null,
    hasTokens,
  })
  const [removed, emptied, erased] = [connectX(), connectX(), connectX(newId())]
  for (const held of [removed, emptied]) await refreshed(held)
  await world.gatewayClient.fetchJson(`DELETE ${path(removed)}`, undefined, 204)
  expect(await rowsOf(removed)).toHaveLength(0)
  await world.gatewayClient.fetchJson(`PUT ${path(emptied)}`, report(emptied, 1, true))
  expect(await rowsOf(emptied)).toHaveLength(1)
  await world.gatewayClient.fetchJson(`PUT ${path(emptied)}`, report(emptied, 2, false))
  expect(await rowsOf(emptied)).toHaveLength(0)

  const { organizationId } = erased.account
  await refreshed({ ...erased, organizationId: world.ada.things.organizations })
  expect(await rowsOf(erased)).toHaveLength(1)
  const work = { ...world.provided, database: world.database, now: () => new Date() }
  await eraseOrganizationData(work, gatewayData, organizationId)
  expect(await rowsOf(erased)).toHaveLength(0)
})

test('GTW-04 refresh of a server that died is repeated, and a failed one is repeated at once', async () => {
  const held = connectX()
  x.fail('api POST /2/oauth2/token', 'server_error')
  expect(await refresh(held)).toMatchObject({ status: 502 })
  expect(await rowsOf(held)).toHaveLength(0)
  const tokens = await refreshed(held)
  const next = { ...held, refreshToken: tokens.refreshToken }
  await refreshed(next)
  // As if the server had died before the response.
  const last = connectX()
  await refreshed(last)
  await world.database.sql`
    UPDATE gateway.social_token_refreshes SET owner = gen_random_uuid(), claim_ends_at = now() + interval '500 ms',
      sealed_response = NULL, next_digest = NULL, responded_at = NULL WHERE account_id = ${last.account.id}`
  const before = requests()
  expect(await refresh(last)).toMatchObject(refused)
  expect(requests()).toBe(before + 1)
})

test('GTW-04 refresh token that stays gets a new access token each time, and nothing is stored', async () => {
  const { refresh_token: refreshToken = '' } = youtube.signIn(youtube.channel('acme'))
  const organizationId = world.ada.things.organizations
  const account = { id: newId(), organizationId }
  const held: Held = { provider: 'youtube', organizationId, clientId: youtube.app.clientId, account, refreshToken }
  const [one, two] = [(await refresh(held)).body, (await refresh(held)).body]
  expect(one.refreshToken).toBeNull()
  expect(two.accessToken).not.toBe(one.accessToken)
  expect(await rowsOf(held)).toHaveLength(0)
})

test('GTW-04 repeated response whose access token has expired says so', async () => {
  const held = connectX()
  await refreshed(held)
  await world.database.sql`
    UPDATE gateway.social_token_refreshes SET responded_at = now() - interval '2 hours' WHERE account_id = ${held.account.id}`
  expect((await refreshed(held)).expiresInSeconds).toBe(0)
})
