import { afterAll, beforeAll, expect, test } from 'bun:test'
import { z } from 'zod'
import { networkOf } from '#lib/address.ts'
import { clientAddress } from '#lib/request/context.ts'
import { openDatabase, type DatabaseHandle } from '#lib/db.ts'
import { Problem, unauthorized } from '#lib/errors.ts'
import { newId } from '#lib/ids.ts'
import { deleteExpired } from '#lib/db/delete-expired.ts'
import { createLimits, type Limits, type Quotas } from '#lib/limits.ts'
import { operation } from '#lib/operation.ts'
import { page } from '#lib/page.ts'
import { scaleTime } from '../support/time-scale.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { actor, contextOf, kernelOf, known, openKernel, type Kernel } from './kernel.tsx'

const quotas: Quotas = { reads: 100, writes: 30, uploads: 20, 'sign-in': 3, ai: 0, ingestion: 20, checks: 5 }

let fresh: TestDatabase
let database: DatabaseHandle
let kernel: Kernel

const open = { permission: 'public', summary: 'Do a thing', input: z.object({}), output: z.object({}) } as const
const run = async () => ({})
const operations = {
  read: operation({ ...open, route: 'GET /api/things', run }),
  write: operation({ ...open, route: 'POST /api/things', run }),
  enter: operation({ ...open, route: 'POST /api/enter', limit: 'sign-in', run }),
  free: operation({ ...open, route: 'POST /api/free', limit: null, run }),
  mine: operation({ ...open, route: 'GET /api/mine', permission: 'signed-in', run }),
}
const pages = [
  page({
    path: '/things',
    permission: 'public',
    query: z.object({}),
    title: 'Things',
    load: run,
    view: () => 'Things',
  }),
]

beforeAll(async () => {
  fresh = await freshDatabase()
  database = openDatabase(fresh.url, 4)
  kernel = await openKernel({ operations, pages }, { limits: createLimits(database.db, quotas), trustedProxies: 1 })
})
afterAll(async () => {
  await kernel.close()
  await database.close()
  await fresh.drop()
})

/** How many of `times` simultaneous requests were granted. */
const granted = async (limits: Limits, subject: string, times: number): Promise<number> =>
  (await Promise.all(Array.from({ length: times }, () => limits.take('reads', subject)))).filter(
    (allowance) => allowance?.granted,
  ).length

test('PLT-14 three servers on one database together grant exactly the limit', async () => {
  const pools = [1, 2, 3].map(() => openDatabase(fresh.url, 2))
  const servers = pools.map(({ db }) => createLimits(db, quotas))
  const subject = newId()
  const sums = await Promise.all(servers.map((server) => granted(server, subject, 80)))
  expect(sums.reduce((sum, part) => sum + part)).toBe(100)
  expect(await granted(createLimits(database.db, quotas), subject, 5)).toBe(0)
  await Promise.all(pools.map((pool) => pool.close()))
})

test('PLT-14 full allowance is restored on all servers at the same time when its window ends', async () => {
  const window = scaleTime(1_000)
  const [one, other] = [createLimits(database.db, quotas, window), createLimits(database.db, quotas, window)]
  const subject = newId()
  expect(await granted(one, subject, 150)).toBe(100)
  expect(await granted(other, subject, 10)).toBe(0)
  await Bun.sleep(window + 20)
  const sums = await Promise.all([granted(one, subject, 70), granted(other, subject, 70)])
  expect(sums.reduce((sum, part) => sum + part)).toBe(100)
})

test('PLT-14 a tenth of the limit is reserved at a time, and requests in between cost no query', async () => {
  const pool = openDatabase(fresh.url, 1)
  const limits = createLimits(pool.db, quotas)
  const subject = newId()
  expect(await limits.take('reads', subject)).toMatchObject({ granted: true, quota: 100, remaining: 99 })
  await pool.close()
  for (let nth = 2; nth <= 10; nth++)
    expect(await limits.take('reads', subject)).toMatchObject({ granted: true, remaining: 100 - nth })
  // Without a database the counts of other servers are unknown: the request fails instead of going uncounted.
  await expect(limits.take('reads', subject)).rejects.toThrow()
  await expect(limits.take('reads', newId())).rejects.toThrow()
  expect(await limits.take('ai', subject)).toBeNull()
})

test('PLT-14 expired windows are deleted, and current ones are kept', async () => {
  const [short, long] = [newId(), newId()]
  await createLimits(database.db, quotas, 1).take('reads', short)
  await createLimits(database.db, quotas).take('reads', long)
  const inAMinute = () => new Date(Date.now() + 60_005)
  await deleteExpired.run({ database, input: {}, now: inAMinute } as never)
  const rows = await database.sql`SELECT subject FROM platform.rate_limits WHERE subject IN (${short}, ${long})`
  expect([...rows]).toEqual([{ subject: long }])
})

/** Sends a request from an address through the one proxy. */
function from(address: string, route: string, headers: Record<string, string> = {}): Promise<Response> {
  const [method = '', path = ''] = route.split(' ')
  const all = { 'x-forwarded-for': `203.0.113.99, ${address}`, ...headers }
  return kernel.handle(new Request(`http://localhost${path}`, { method, headers: all }), '127.0.0.1')
}

test('PLT-14 response has the policy and the remaining requests of its rate limit class', async () => {
  const limits = async (response: Promise<Response>) => {
    const { headers } = await response
    return [headers.get('ratelimit-policy'), headers.get('ratelimit')]
  }
  const address = '198.51.100.1'
  expect(await limits(from(address, 'GET /api/things'))).toEqual(['"reads";q=100;w=60', '"reads";r=99;t=60'])
  expect(await limits(from(address, 'GET /things'))).toEqual(['"reads";q=100;w=60', '"reads";r=98;t=60'])
  expect(await limits(from(address, 'POST /api/things'))).toEqual(['"writes";q=30;w=60', '"writes";r=29;t=60'])
  expect(await limits(from(address, 'POST /api/enter'))).toEqual(['"sign-in";q=3;w=60', '"sign-in";r=2;t=60'])
  expect(await limits(from(address, 'POST /api/free'))).toEqual([null, null])
})

test('PLT-14 PLT-10 request over the limit returns 429 with Retry-After until the window ends, as JSON and HTML', async () => {
  const address = '198.51.100.2'
  for (let time = 0; time < 3; time++) expect((await from(address, 'POST /api/enter')).status).toBe(200)
  const refused = await from(address, 'POST /api/enter')
  expect(refused.status).toBe(429)
  expect(refused.headers.get('ratelimit')).toMatch(/^"sign-in";r=0;t=\d+$/)
  expect(Number(refused.headers.get('retry-after'))).toBeWithin(1, 61)
  expect(await refused.json()).toMatchObject({ status: 429, code: 'rate_limited', title: 'Too many requests' })
  const shown = await from(address, 'POST /api/enter', { 'hx-request': 'true' })
  expect([shown.status, await shown.text()]).toEqual([429, expect.stringContaining('Retry in')])
  expect((await from(address, 'GET /api/things')).status).toBe(200)
  expect((await from('198.51.100.3', 'POST /api/enter')).status).toBe(200)
})

test('PLT-14 credential has one count across all routes, and an invalid one counts against the limit of its IP address', async () => {
  const rest = async (response: Promise<Response>) =>
    /r=(\d+)/.exec((await response).headers.get('ratelimit') ?? '')?.[1]
  const first = Number(await rest(from('198.51.100.4', 'GET /api/mine', known)))
  expect(await rest(from('198.51.100.5', 'GET /api/mine', known))).toBe(String(first - 1))
  expect(await rest(from('198.51.100.5', 'GET /api/things'))).toBe('99')
  const guess = { authorization: 'Bearer guess' }
  for (let time = 0; time < 100; time++) await from('198.51.100.6', 'GET /api/mine', guess)
  expect((await from('198.51.100.6', 'GET /api/mine', guess)).status).toBe(429)
  expect((await from('198.51.100.6', 'GET /api/mine', known)).status).toBe(200)
})

test('PLT-14 invalid credentials count against the limit of their IP address before they are validated', async () => {
  let requested = 0
  const authenticate = async ({ authorization }: { authorization?: string }) => {
    requested += 1
    if (!authorization?.startsWith('Bearer good')) throw unauthorized()
    return { ...actor, credential: { kind: 'access', id: newId() } } as const
  }
  const limits = createLimits(database.db, quotas)
  const handle = kernelOf([contextOf({ operations, pages })], { authenticate, limits, database, trustedProxies: 1 })
  const send = (address: string, path: string, headers: Record<string, string>) =>
    handle(new Request(`http://localhost${path}`, { headers: { ...headers, 'x-forwarded-for': address } }), '127.0.0.1')
  const statuses = async (path: string, address: string, headers: () => Record<string, string>) => {
    const answers = await Promise.all(Array.from({ length: 150 }, () => send(address, path, headers())))
    return answers.map(({ status }) => status).filter((status) => status === 429).length
  }
  expect(await statuses('/api/mine', '198.51.100.20', () => ({ cookie: `session=${newId()}` }))).toBe(50)
  expect(await statuses('/things', '198.51.100.21', () => ({ cookie: `session=${newId()}` }))).toBe(50)
  expect(await statuses('/api/mine', '198.51.100.22', () => ({ authorization: `Bearer ${newId()}` }))).toBe(50)
  expect(requested).toBe(300)
  // A valid credential doesn't count against its address, however many times it is new.
  for (let time = 0; time < 120; time++)
    expect((await send('198.51.100.23', '/api/mine', { authorization: `Bearer good ${newId()}` })).status).toBe(200)
  const { headers } = await send('198.51.100.23', '/api/things', {})
  expect(headers.get('ratelimit')).toMatch(/r=99;/)
})

test('PLT-14 known credential doesn’t count against the limit of its IP address while identity is unavailable', async () => {
  let away = false
  const authenticate = async () => {
    if (away) throw new Problem(503, 'identity_unavailable', 'Identity isn’t available.')
    return { ...actor, credential: { kind: 'access', id: newId() } } as const
  }
  const limits = createLimits(database.db, quotas)
  const handle = kernelOf([contextOf({ operations })], { authenticate, limits, database, trustedProxies: 1 })
  const send = (path: string, headers: Record<string, string>) =>
    handle(
      new Request(`http://localhost${path}`, { headers: { ...headers, 'x-forwarded-for': '198.51.100.40' } }),
      '127.0.0.1',
    )
  const authorization = `Bearer ${newId()}`
  expect((await send('/api/mine', { authorization })).status).toBe(200)
  away = true
  for (let time = 0; time < 5; time++) expect((await send('/api/mine', { authorization })).status).toBe(503)
  expect((await send('/api/things', {})).headers.get('ratelimit')).toMatch(/r=99;/)
})

test('PLT-14 thirty keys of one organization share its rate limit across all servers, and another organization is unaffected', async () => {
  const [acme, umbrella] = [newId(), newId()].map((id) => ({ id, slug: 'acme', role: 'viewer' as const }))
  const organizations = new Map<string, typeof acme>()
  const authenticate = async ({ authorization = '' }: { authorization?: string }) => {
    const credential = { kind: 'api_key', id: authorization.slice('Bearer '.length) } as const
    return { ...actor, credential, organization: organizations.get(authorization) ?? null }
  }
  const pools = [1, 2].map(() => openDatabase(fresh.url, 2))
  const servers = pools.map(({ db }) =>
    kernelOf([contextOf({ operations })], { authenticate, limits: createLimits(db, quotas, 60_000, 3), database }),
  )
  const keysOf = (organization: typeof acme) =>
    Array.from({ length: 30 }, () => {
      const authorization = `Bearer ${newId()}`
      organizations.set(authorization, organization)
      return authorization
    })
  const send = (authorization: string, at: number, address = 0) =>
    servers[at % 2]?.(new Request('http://localhost/api/mine', { headers: { authorization } }), `203.0.113.${address}`)
  const requested = keysOf(acme).flatMap((key, nth) => Array.from({ length: 20 }, (_, at) => send(key, at, nth)))
  const answers = (await Promise.all(requested)).flatMap((answer) => answer ?? [])
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(300)
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused).toHaveLength(300)
  const problem = await refused.at(-1)?.json()
  expect(problem).toMatchObject({
    code: 'rate_limited',
    detail: expect.stringContaining('for your whole organization'),
  })
  expect(refused.at(-1)?.headers.get('ratelimit-policy')).toBe('"reads";q=300;w=60')
  expect(Number(refused.at(-1)?.headers.get('retry-after'))).toBeWithin(1, 61)
  const [other = ''] = keysOf(umbrella)
  expect((await send(other, 0))?.status).toBe(200)
  await Promise.all(pools.map((pool) => pool.close()))
})

test('PLT-14 rate limit of an organization costs a request no additional query', async () => {
  const pool = openDatabase(fresh.url, 1)
  const limits = createLimits(pool.db, quotas, 60_000, 10)
  const [subject, organization] = [newId(), newId()]
  await limits.take('reads', subject, organization)
  await pool.close()
  for (let nth = 2; nth <= 10; nth++)
    expect(await limits.take('reads', subject, organization)).toMatchObject({ granted: true, remaining: 100 - nth })
})

test('PLT-14 requests to unknown paths count against the limit of the IP address', async () => {
  const address = '198.51.100.30'
  for (let time = 0; time < 100; time++) expect((await from(address, 'GET /nowhere')).status).toBe(404)
  for (const route of ['GET /nowhere', 'PUT /api/mine', 'GET /api/things'])
    expect([route, (await from(address, route)).status]).toEqual([route, 429])
})

test('PLT-14 addresses of one IPv6 network share a count, regardless of the headers that the caller sends', async () => {
  const enter = async (address: string, headers = {}) => (await from(address, 'POST /api/enter', headers)).status
  for (const last of ['1', 'ffff:1', 'a:b:c']) expect(await enter(`2001:db8:0:7::${last}`)).toBe(200)
  expect(await enter('2001:db8:0:7:1234:5678:9abc:def0')).toBe(429)
  expect(await enter('2001:db8:0:8::1')).toBe(200)
  expect(await enter('', { 'x-forwarded-for': '192.0.2.77, 2001:db8:0:7::9' })).toBe(429)
})

test('PLT-14 client address behind proxies is the one that the outermost trusted proxy saw', () => {
  const reported = '6.6.6.6, 198.51.100.1, 10.0.0.2'
  expect(clientAddress('10.0.0.1', reported, 0)).toBe('10.0.0.1')
  expect(clientAddress('10.0.0.1', reported, 1)).toBe('10.0.0.2')
  expect(clientAddress('10.0.0.1', reported, 2)).toBe('198.51.100.1')
  expect(clientAddress('10.0.0.1', '198.51.100.1', 2)).toBe('198.51.100.1')
  expect(clientAddress('::ffff:10.0.0.1', null, 1)).toBe('10.0.0.1')
  expect(clientAddress('10.0.0.1', 'unknown, <script>', 1)).toBe('10.0.0.1')
  expect(clientAddress('10.0.0.1', '[2001:db8::1]:443', 1)).toBe('2001:db8::1')
  expect(clientAddress('10.0.0.1', '198.51.100.1:5000', 1)).toBe('198.51.100.1')
})

test('PLT-14 a network is an IPv4 address or a /64', () => {
  expect(networkOf('198.51.100.1')).toBe('198.51.100.1')
  expect(networkOf('2001:db8::1')).toBe('2001:db8:0:0::/64')
  expect(networkOf('2001:DB8:0:7:1:2:3:4')).toBe('2001:db8:0:7::/64')
  expect(networkOf('::1')).toBe('0:0:0:0::/64')
  expect(networkOf('fe80::1%eth0')).toBe('fe80:0:0:0::/64')
  expect(networkOf('gone')).toBe('gone')
})
