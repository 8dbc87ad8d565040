import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openDatabase } from '#lib/db.ts'
import { Problem } from '#lib/errors.ts'
import { newId } from '#lib/ids.ts'
import { eraseOrganizationData } from '#lib/tenant-data/erase.ts'
import { createLog } from '#lib/log.ts'
import type { VideoQuota, VideoUpload } from '#gateway/types'
import { methodCost } from '../../src/gateway/video/costs.ts'
import { pacificDay } from '../../src/gateway/video/pacific-day.ts'
import { forecastOf } from '../../src/gateway/video/quota-report.ts'
import { returnQuota, takeQuota } from '../../src/gateway/video/quota.ts'
import { addressOf } from '../../src/gateway/video/session.ts'
import { eventually, waitUntil } from '../boot/program.ts'
import { videoData } from '../../src/gateway/video/tenant-data.ts'
import { addressedAt } from '../../src/gateway/video/uploads.ts'
import { openWorld, type World } from '../support/world.ts'
import { openUpstream } from './upstream.ts'

// Against the practice video provider of the same server, which shares nothing with this code.

let world: World
const lines: string[] = []

beforeAll(async () => {
  world = await openWorld({ log: createLog('debug', false, (line) => void lines.push(line)) })
})
afterAll(() => world.close())

let projects = 700_000
/** A project of its own for each test. */
const newUser = (account = 'anna') => {
  const project = String((projects += 1))
  return { project, token: `ya29.${project}.${account}` }
}

const granule = 256 * 1024
const mebibyte = 1024 * 1024

const adas = () => world.ada.things.organizations

/** `clientId`: of the app that the token belongs to; the practice provider’s have none. */
function clientOf(token: string, organizationId = adas(), clientId?: string) {
  const headers = {
    'x-organization-id': organizationId,
    'x-provider-authorization': `Bearer ${token}`,
    'x-application-id': 'platform-socialize',
    ...(clientId !== undefined && { 'x-provider-client-id': clientId }),
  }
  const fetch = (route: string, body?: unknown, more: Record<string, string> = {}) =>
    world.gatewayClient.fetch(route, body, { ...headers, ...more })
  return {
    fetch,
    json: async <Answer>(route: string, body?: unknown): Promise<Answer> => (await fetch(route, body)).json(),
    start: async (length: number): Promise<VideoUpload> => {
      const response = await fetch('POST /platform/youtube/videos', { title: 'Autumn blend', length })
      const upload = await response.json()
      expect([response.status, upload]).toMatchObject([201, { state: 'uploading', received: 0, length, video: null }])
      return upload
    },
    get: async (id: string): Promise<VideoUpload> => (await fetch(`GET /platform/youtube/videos/${id}`)).json(),
    send: (id: string, bytes: Uint8Array | ReadableStream, offset = 0) =>
      fetch(
        `PUT /platform/youtube/videos/${id}/content?offset=${offset}`,
        bytes instanceof ReadableStream ? bytes : new Blob([new Uint8Array(bytes)]),
        { 'content-type': 'video/mp4' },
      ),
  }
}

const bytesOf = (length: number): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.alloc(length, Buffer.from('Atrium sends videos of coffee. ')))

interface Held {
  items: { id: string; sha256: string | null; length: number; privacy: string; requests: number }[]
}
const held = async (project: string) =>
  ((await (await world.stranger.fetch(`GET /dev/video/api/videos?project=${project}`)).json()) as Held).items

const behave = (project: string, behavior: object) =>
  world.stranger.fetchJson('PUT /dev/video/behavior', { project, ...behavior })

const codeOf = async (response: Response) => [response.status, (await response.json()).code]

const usageOf = async (project: string) =>
  world.database.sql<{ model: string; quantity: number; unit: string; cost: string; family: string }[]>`
    SELECT model, quantity::int, unit, cost_nano_usd AS cost, family FROM gateway.usage_logs
    WHERE metadata->>'project' = ${project} ORDER BY occurred_at, model`

const usedUnits = async (project: string) => {
  const rows = await world.database.sql<{ bucket: string; used: number }[]>`
    SELECT bucket, used FROM gateway.video_quota WHERE project = ${project}`
  return Object.fromEntries(rows.map(({ bucket, used }) => [bucket, used]))
}

const providerUnits = async (project: string) => {
  const { buckets } = await world.stranger.fetchJson<{ buckets: { bucket: string; used: number }[] }>(
    `GET /dev/video/api/quota?project=${project}`,
  )
  return Object.fromEntries(buckets.filter(({ used }) => used > 0).map(({ bucket, used }) => [bucket, used]))
}

test('GTW-43 the user’s channel is read with their token, counted as one unit and metered', async () => {
  const { project, token } = newUser()
  const channel = await clientOf(token).json('GET /platform/youtube/channels/mine')
  expect(channel).toMatchObject({ id: expect.stringMatching(/^UC/), title: expect.any(String) })
  expect([await usedUnits(project), await providerUnits(project)]).toEqual([{ other: 1 }, { other: 1 }])
  await world.provided.ledger.settled()
  expect([...(await usageOf(project))]).toEqual([
    { model: 'channels.list', quantity: 1, unit: 'unit', cost: '0', family: 'video_quota' },
  ])
})

test('GTW-43 a video is uploaded in pieces of any size, is private, and arrives unchanged', async () => {
  const { project, token } = newUser()
  const client = clientOf(token)
  const bytes = bytesOf(5 * mebibyte + 12_345)
  const { id } = await client.start(bytes.length)
  // Less than Google’s multiple isn’t kept.
  const first = (await (await client.send(id, bytes.subarray(0, granule + 100))).json()) as VideoUpload
  expect(first).toMatchObject({ state: 'uploading', received: granule })
  const done = await client.send(id, bytes.subarray(granule), granule)
  expect([done.status, await done.json()]).toMatchObject([
    200,
    { state: 'completed', received: bytes.length, video: { privacy: 'private' } },
  ])
  const { video } = await client.get(id)
  const [stored, ...others] = await held(project)
  expect(others).toEqual([])
  expect(stored).toMatchObject({ id: video?.id ?? '', length: bytes.length, privacy: 'private' })
  expect(stored?.sha256).toBe(Bun.CryptoHasher.hash('sha256', bytes, 'hex'))
  expect(await codeOf(await client.send(id, bytes))).toEqual([409, 'upload_complete'])
  // Bytes are free.
  expect(await usedUnits(project)).toEqual({ 'videos.insert': 1 })
})

test.each([
  ['cuts the connection within a chunk', { mode: 'cut', on: 'chunk', times: 1 }],
  ['loses the response of a chunk', { mode: 'lose_answer', on: 'chunk', times: 1 }],
  ['fails twice', { mode: 'fail', on: 'chunk', times: 2 }],
  ['limits the rate', { mode: 'rate_limit', on: 'chunk', times: 1 }],
])('GTW-43 an upload continues, and becomes one video, when the provider %s', async (_, behavior) => {
  const { project, token } = newUser()
  const client = clientOf(token)
  const bytes = bytesOf(4 * mebibyte + 5)
  const { id } = await client.start(bytes.length)
  await behave(project, behavior)
  const done = await client.send(id, bytes)
  expect([done.status, await done.json()]).toMatchObject([200, { state: 'completed' }])
  expect(await held(project)).toMatchObject([{ length: bytes.length }])
})

test('GTW-43 the lost response of the last chunk is found by asking, never by a second video', async () => {
  const { project, token } = newUser()
  const client = clientOf(token)
  const bytes = bytesOf(300_000)
  const { id } = await client.start(bytes.length)
  await behave(project, { mode: 'lose_answer', on: 'chunk', times: 1 })
  expect((await client.send(id, bytes)).status).toBe(200)
  const [only, ...others] = await held(project)
  expect([(await client.get(id)).video?.id, others]).toEqual([only?.id, []])
  const requests = await world.stranger.fetchJson(`GET /dev/video/api/requests?project=${project}`)
  expect(JSON.stringify(requests)).toContain('bytes */300000')
})

test('GTW-43 newest videos of the channel and the state of one are read, and counted as one unit each', async () => {
  const { project, token } = newUser('recent')
  const client = clientOf(token)
  const { id } = await client.start(1_000)
  await client.send(id, bytesOf(1_000))
  const { video } = await client.get(id)
  const list = await client.json<{ items: { id: string; title: string; publishedAt: string }[] }>(
    'GET /platform/youtube/channels/mine/videos',
  )
  expect(list.items[0]).toMatchObject({ id: video?.id ?? '', title: 'Autumn blend', url: video?.url ?? '' })
  const state = () => client.json<{ state: string }>(`GET /platform/youtube/channels/mine/videos/${video?.id}`)
  expect(await state()).toMatchObject({ id: video?.id ?? '', privacy: 'private', reason: null })
  await waitUntil(async () => (await state()).state === 'processed')
  const unknown = await client.fetch('GET /platform/youtube/channels/mine/videos/unknown-1')
  expect(await codeOf(unknown)).toEqual([404, 'not_found'])
  const { other } = await usedUnits(project)
  expect(other).toBeGreaterThanOrEqual(5)
  expect(await providerUnits(project)).toMatchObject({ other })
})

test('GTW-43 session that ends with the last bytes may have become a video', async () => {
  const { project, token } = newUser()
  const client = clientOf(token)
  const { id } = await client.start(1_000)
  await behave(project, { mode: 'expire_session', on: 'chunk', times: 1 })
  const ended = await client.send(id, bytesOf(1_000))
  expect([ended.status, await ended.json()]).toMatchObject([410, { code: 'upload_expired', mayBeComplete: true }])
})

test('GTW-43 a failing provider is a 502 after some attempts, and the upload goes on later where it was', async () => {
  const { project, token } = newUser()
  const client = clientOf(token)
  const bytes = bytesOf(granule + 7)
  const { id } = await client.start(bytes.length)
  expect(await (await client.send(id, bytes.subarray(0, granule))).json()).toMatchObject({ received: granule })
  await behave(project, { mode: 'fail', on: 'probe', status: 503, times: 1 })
  expect(await codeOf(await client.fetch(`GET /platform/youtube/videos/${id}`))).toEqual([502, 'provider_failed'])
  expect(await client.get(id)).toMatchObject({ state: 'uploading', received: granule })
  expect((await client.send(id, bytes.subarray(granule), granule)).status).toBe(200)
  expect(await held(project)).toHaveLength(1)
})

test('GTW-43 a caller that hangs up continues at what the provider has, and a wrong offset names the right one', async () => {
  const { project, token } = newUser()
  const client = clientOf(token)
  const bytes = bytesOf(2 * mebibyte)
  const { id } = await client.start(bytes.length)
  let sent = 0
  const breaking = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      if (sent > 3 * granule) return controller.error(new Error('Gone'))
      controller.enqueue(bytes.subarray(sent, sent + 100_000))
      sent += 100_000
    },
  })
  expect((await client.send(id, breaking)).status).toBe(400)
  const { received } = await client.get(id)
  expect(received).toBe(3 * granule)
  const wrong = await client.send(id, bytes)
  expect([wrong.status, await wrong.json()]).toMatchObject([409, { code: 'upload_offset_mismatch', received }])
  expect((await client.send(id, bytes.subarray(received), received)).status).toBe(200)
  expect((await held(project)).map(({ length }) => length)).toEqual([bytes.length])
})

test('GTW-43 more bytes than announced are refused before the provider gets the last chunk', async () => {
  const { project, token } = newUser()
  const client = clientOf(token)
  const { id } = await client.start(1_000)
  const longer = new ReadableStream<Uint8Array>({
    start: (controller) => {
      controller.enqueue(bytesOf(1_000))
      controller.enqueue(bytesOf(1))
      controller.close()
    },
  })
  expect(await codeOf(await client.send(id, longer))).toEqual([413, 'body_too_large'])
  expect(await held(project)).toEqual([])
  expect((await client.send(id, bytesOf(1_000))).status).toBe(200)
})

test('GTW-43 an expired session says that the upload has to start again', async () => {
  const { project, token } = newUser()
  const client = clientOf(token)
  const { id } = await client.start(1_000)
  await behave(project, { mode: 'expire_session', on: 'chunk', times: 1 })
  expect(await codeOf(await client.send(id, bytesOf(1_000)))).toEqual([410, 'upload_expired'])
  const later = await client.fetch(`GET /platform/youtube/videos/${id}`)
  expect([later.status, await later.json()]).toMatchObject([410, { code: 'upload_expired', mayBeComplete: true }])
})

test('GTW-43 the refusals of YouTube are problems of ours that say what to do', async () => {
  const { project } = newUser()
  const start = (account: string, more: object = {}) =>
    clientOf(`ya29.${project}.${account}`).fetch('POST /platform/youtube/videos', { title: 'A', length: 1, ...more })
  expect(await codeOf(await start('anna.expired'))).toEqual([409, 'provider_token_rejected'])
  expect(await codeOf(await start('nochannel'))).toEqual([422, 'channel_missing'])
  expect(await codeOf(await start('limited'))).toEqual([422, 'provider_refused'])
  expect(await codeOf(await start('anna.readonly'))).toEqual([422, 'provider_permission_missing'])
  const category = await start('anna', { categoryId: '999' })
  expect([category.status, await category.json()]).toMatchObject([422, { errors: [{ path: 'categoryId' }] }])
  const title = await start('anna', { title: 'A <b>' })
  expect([title.status, await title.json()]).toMatchObject([422, { errors: [{ path: 'title' }] }])
  await behave(project, { mode: 'rate_limit', on: 'start', retryAfter: 7, times: 1 })
  const limited = await start('anna')
  expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '7'])
})

test('GTW-43 only social calls it, with an organization and the user’s token, and uploads are of one organization', async () => {
  const { token } = newUser()
  const { ada, root, key, service, mallory } = world
  for (const caller of [ada, root, key, service])
    expect((await caller.fetch('GET /platform/youtube/channels/mine')).status).toBeOneOf([401, 403])
  expect(await codeOf(await world.gatewayClient.fetch('GET /platform/youtube/channels/mine'))).toEqual([
    400,
    'provider_authorization_required',
  ])
  const client = clientOf(token)
  const { id } = await client.start(10)
  const other = clientOf(token, mallory.things.organizations)
  expect((await other.fetch(`GET /platform/youtube/videos/${id}`)).status).toBe(404)
  expect((await other.send(id, bytesOf(10))).status).toBe(404)
  const [{ text } = { text: '' }] = await world.database.sql<{ text: string }[]>`
    SELECT row_to_json(u)::text AS text FROM gateway.video_uploads u WHERE id = ${id}`
  expect(text).not.toContain('ya29')
  expect(text).not.toContain('upload_id')
})

test('GTW-43 an exhausted bucket is 429 until midnight Pacific before the provider is called; others go on', async () => {
  const { project, token } = newUser()
  const client = clientOf(token)
  await client.start(10)
  await world.database.sql`UPDATE gateway.video_quota SET used = 100 WHERE project = ${project}`
  const before = await providerUnits(project)
  const refused = await client.fetch('POST /platform/youtube/videos', { title: 'A', length: 1 })
  const { end } = pacificDay(new Date())
  expect([refused.status, await refused.json()]).toMatchObject([
    429,
    { code: 'quota_exhausted', bucket: 'videos.insert', project, resetsAt: end.toISOString() },
  ])
  expect(Number(refused.headers.get('retry-after'))).toBeWithin(1, 25 * 3_600 + 1)
  expect(await providerUnits(project)).toEqual(before)
  expect((await client.fetch('GET /platform/youtube/channels/mine')).status).toBe(200)
})

test('GTW-43 when the provider says that the quota is used up, our count follows; a granted limit opens it again', async () => {
  const { project, token } = newUser()
  const client = clientOf(token)
  const start = () => client.fetch('POST /platform/youtube/videos', { title: 'A', length: 1 })
  await start()
  await world.database.sql`UPDATE practice_video.quota SET used = 100 WHERE project = ${project}`
  expect(await codeOf(await start())).toEqual([429, 'quota_exhausted'])
  const requests = async () =>
    (await world.stranger.fetchJson<{ items: object[] }>(`GET /dev/video/api/requests?project=${project}`)).items.length
  const reached = await requests()
  expect(await codeOf(await start())).toEqual([429, 'quota_exhausted'])
  expect(await requests()).toBe(reached)
  const mine = async () => {
    const { buckets } = await world.ada.fetchJson<VideoQuota>('GET /api/video-quota')
    return buckets.find((bucket) => bucket.project === project && bucket.bucket === 'videos.insert')
  }
  expect(await mine()).toMatchObject({ used: 2, ownUsed: 2, limit: 100, exhausted: true, level: 'practice' })
  await world.database.sql`UPDATE practice_video.quota SET used = 0 WHERE project = ${project}`
  const granted = await world.root.fetchJson(`PUT /api/video-quota/${project}`, { bucket: 'videos.insert', limit: 3 })
  expect(granted).toEqual({ project, bucket: 'videos.insert', limit: 3, isDefault: false })
  expect((await start()).status).toBe(201)
  expect(await mine()).toMatchObject({ used: 3, limit: 3, exhausted: true })
  expect(await codeOf(await start())).toEqual([429, 'quota_exhausted'])
  const theirs = await world.mallory.fetchJson<VideoQuota>('GET /api/video-quota')
  expect(theirs.buckets.map((bucket) => bucket.project)).not.toContain(project)
})

test('GTW-43 a provider that can’t be reached costs no units, and an OAuth client names the project', async () => {
  const { ada, database } = world
  const secret = {
    clientId: '424242424242-abc.apps.googleusercontent.com',
    clientSecret: 'not a secret'.replaceAll(' ', '-'),
  }
  const credential = { level: 'organization', label: 'main', baseUrl: 'http://127.0.0.1:9', secret }
  expect((await ada.fetch('PUT /api/credentials/youtube', credential)).status).toBeWithin(200, 202)
  const client = clientOf(newUser().token, adas(), secret.clientId)
  const refused = await client.fetch('GET /platform/youtube/channels/mine')
  expect([refused.status, await refused.json()]).toMatchObject([
    502,
    { code: 'provider_failed', mayHaveArrived: false },
  ])
  expect(await usedUnits(`424242424242/${ada.things.organizations}`)).toEqual({ other: 0 })
  const { buckets } = await ada.fetchJson<VideoQuota>('GET /api/video-quota')
  expect(buckets.filter(({ project }) => project === '424242424242')).toMatchObject([
    { bucket: 'videos.insert', level: 'organization', used: 0, limit: 100 },
    { bucket: 'search.list', limit: 100 },
    { bucket: 'other', used: 0, limit: 10_000 },
  ])
  const card = await (await ada.fetch('GET /gateway/limits', undefined, { accept: 'text/html' })).text()
  expect(card).toContain('Video quota')
  expect(card).toContain('424242424242')
  await database.sql`DELETE FROM gateway.provider_credentials WHERE provider = 'youtube'`
  await world.provided.upstreams.forgetCredentials(database.db)
})

test('GTW-43 OAuth client of an organization with the project number of another client doesn’t use up its quota', async () => {
  const { ada, database } = world
  const { project, token } = newUser()
  const exhausted = { error: { code: 403, message: 'no', errors: [{ reason: 'quotaExceeded' }] } }
  const provider = openUpstream(() => Response.json(exhausted, { status: 403 }))
  const secret = { clientId: `${project}-abc.apps.googleusercontent.com`, clientSecret: 'known-to-no-one' }
  await ada.fetchJson('PUT /api/credentials/youtube', { label: 'main', baseUrl: provider.url, secret })
  const read = (client: ReturnType<typeof clientOf>) => client.fetch('GET /platform/youtube/channels/mine')
  expect(await codeOf(await read(clientOf(token, adas(), secret.clientId)))).toEqual([429, 'quota_exhausted'])
  provider.stop()
  expect(await usedUnits(project)).toEqual({})
  expect((await read(clientOf(token, world.mallory.things.organizations))).status).toBe(200)
  const { buckets } = await ada.fetchJson<VideoQuota>('GET /api/video-quota')
  expect(buckets.find(({ bucket, project: named }) => bucket === 'other' && named === project)).toMatchObject({
    level: 'organization',
    exhausted: true,
  })
  const work = { ...world.provided, database, now: () => new Date() }
  await eraseOrganizationData(work, videoData, ada.things.organizations)
  expect(await usedUnits(`${project}/${ada.things.organizations}`)).toEqual({})
  await database.sql`DELETE FROM gateway.provider_credentials WHERE provider = 'youtube'`
  await world.provided.upstreams.forgetCredentials(database.db)
})

test('GTW-43 token of an app reaches only the credential with its client ID, the platform’s first', async () => {
  const { ada, root, database } = world
  const channel = () => Response.json({ items: [{ id: 'UC1', snippet: { title: 'Coffee' } }] })
  const [platform, own] = [openUpstream(channel), openUpstream(channel)]
  const [{ project }, { project: ownProject }] = [newUser(), newUser()]
  const appOf = (number: string) => `${number}-abc.apps.googleusercontent.com`
  const store = (who: Pick<typeof root, 'fetchJson'>, level: string, baseUrl: string, clientId: string) =>
    who.fetchJson('PUT /api/credentials/youtube', {
      level,
      label: 'main',
      baseUrl,
      secret: { clientId, clientSecret: 'known-to-no-one' },
    })
  const read = async (token: string, clientId?: string) =>
    clientOf(token, adas(), clientId).fetch('GET /platform/youtube/channels/mine')
  const tokensAt = ({ requests }: typeof own) => requests.map(({ headers }) => headers.get('authorization'))
  try {
    await store(root, 'platform', platform.url, appOf(project))
    await store(ada, 'organization', own.url, appOf(ownProject))
    expect((await read('of-platform', appOf(project))).status).toBe(200)
    expect((await read('of-own', appOf(ownProject))).status).toBe(200)
    expect([tokensAt(platform), tokensAt(own)]).toEqual([['Bearer of-platform'], ['Bearer of-own']])
    expect(await usedUnits(project)).toEqual({ other: 1 })
    expect(await usedUnits(`${ownProject}/${adas()}`)).toEqual({ other: 1 })
    expect(await codeOf(await read('of-another', appOf('999999999999')))).toEqual([422, 'credential_missing'])
    expect(await codeOf(await read('of-unknown'))).toEqual([400, 'provider_authorization_required'])
    await store(ada, 'organization', own.url, appOf(project))
    expect((await read('of-platform', appOf(project))).status).toBe(200)
    expect([platform.requests.length, own.requests.length]).toEqual([2, 1])
  } finally {
    for (const { stop } of [platform, own]) stop()
    await database.sql`DELETE FROM gateway.provider_credentials WHERE provider = 'youtube'`
    await world.provided.upstreams.forgetCredentials(database.db)
  }
})

test('GTW-43 one organization can take a quarter of the platform’s project, or one unit; others go on', async () => {
  const { root, mallory, database } = world
  const { project } = newUser()
  const at = new Date()
  const setLimit = (limit: number) =>
    root.fetchJson(`PUT /api/video-quota/${project}`, { bucket: 'videos.insert', limit })
  await setLimit(11)
  const take = (organizationId: string, isShared = true) =>
    takeQuota(database.db, { organizationId, project, method: 'videos.insert', isShared }, at)
  const outcomes = await Promise.allSettled(Array.from({ length: 12 }, () => take(adas())))
  const taken = outcomes.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  expect([taken.length, await usedUnits(project)]).toEqual([2, { 'videos.insert': 2 }])
  const refusal = await take(adas()).catch((error: unknown) => error)
  expect(refusal).toMatchObject({ code: 'quota_exhausted', options: { members: { scope: 'organization', project } } })
  expect(String(refusal)).toContain('daily share')
  expect(String(refusal)).toContain('2 of 11 units')
  const theirs = mallory.things.organizations
  await take(theirs)
  expect(await usedUnits(project)).toEqual({ 'videos.insert': 3 })
  const [first] = taken
  if (first) await returnQuota(database.db, first)
  await take(adas())
  await setLimit(3)
  expect(await take(theirs).catch((error: unknown) => error)).toMatchObject({
    options: { members: { scope: 'project' } },
  })
  const { project: small } = newUser()
  await root.fetchJson(`PUT /api/video-quota/${small}`, { bucket: 'videos.insert', limit: 2 })
  const takeSmall = (isShared: boolean) =>
    takeQuota(database.db, { organizationId: adas(), project: small, method: 'videos.insert', isShared }, at)
  await takeSmall(true)
  expect(await takeSmall(true).catch((error: unknown) => error)).toMatchObject({ code: 'quota_exhausted' })
  // Of its own project, it can use everything.
  await takeSmall(false)
})

test('GTW-43 host that an organization entered gets the bytes of its upload only as a host of the organization, and no token of the platform’s app', () => {
  type Address = Parameters<typeof addressedAt>[0]
  const own: Address = { level: 'organization', baseUrl: 'https://new.example' }
  const practice: Address = { ...own, level: 'practice' }
  const platform: Address = { level: 'platform', baseUrl: 'https://www.googleapis.com' }
  const startedAt = (baseUrl: string) => ({ baseUrl, state: 'uploading' }) as const
  expect(addressedAt(practice, startedAt('https://rebinding.example')).level).toBe('organization')
  expect(addressedAt(own, startedAt('https://rebinding.example'))).toEqual({
    ...own,
    baseUrl: 'https://rebinding.example',
  })
  expect(() => addressedAt(platform, startedAt('https://rebinding.example'))).toThrow('no longer has this upload')
  expect(addressedAt(platform, startedAt('https://www.googleapis.com')).level).toBe('platform')
})

test('GTW-43 units taken by many callers over two database pools are never more than the limit', async () => {
  const url = world.provided.config.DATABASE_URL ?? ''
  const pools = [openDatabase(url, 4), openDatabase(url, 4)] as const
  const at = new Date()
  const { project } = newUser()
  await world.root.fetchJson(`PUT /api/video-quota/${project}`, { bucket: 'other', limit: 1_237 })
  const methods = ['channels.list', 'videos.update', 'captions.update', 'captions.insert'] as const
  const outcomes = await Promise.all(
    Array.from({ length: 120 }, async (_, index) => {
      const method = methods[(index * 7) % methods.length] ?? 'channels.list'
      const { db } = index % 2 === 0 ? pools[0] : pools[1]
      return takeQuota(db, { organizationId: world.ada.things.organizations, project, method }, at).then(
        ({ units }) => units,
        (error: unknown) => {
          if (error instanceof Problem && error.code === 'quota_exhausted') return 0
          throw error
        },
      )
    }),
  )
  await Promise.all(pools.map((pool) => pool.close()))
  const taken = outcomes.reduce((sum, units) => sum + units, 0)
  expect(taken).toBeWithin(1_237 - 450, 1_238)
  expect(await usedUnits(project)).toEqual({ other: taken })
})

test('GTW-43 days are Pacific, with 23 and 25 hours where the clocks change', () => {
  const hours = (at: string) => {
    const { day, start, end } = pacificDay(new Date(at))
    return [day, (end.getTime() - start.getTime()) / 3_600_000, end.toISOString()]
  }
  expect(hours('2026-11-22T07:59:59Z')).toEqual(['2026-11-21', 24, '2026-11-22T08:00:00.000Z'])
  expect(hours('2026-11-22T08:00:00Z')).toEqual(['2026-11-22', 24, '2026-11-23T08:00:00.000Z'])
  expect(hours('2027-03-14T12:00:00Z')).toEqual(['2027-03-14', 23, '2027-03-15T07:00:00.000Z'])
  expect(hours('2026-11-01T12:00:00Z')).toEqual(['2026-11-01', 25, '2026-11-02T08:00:00.000Z'])
})

test('GTW-43 costs are those of the day: own buckets from June 2026, before that units of the shared one', () => {
  const cost = (method: 'videos.insert' | 'search.list' | 'captions.update', day: string) => {
    const { bucket, units, limit } = methodCost(method, day)
    return `${bucket} ${units}/${limit}`
  }
  expect(cost('videos.insert', '2025-12-03')).toBe('other 1600/10000')
  expect(cost('videos.insert', '2025-12-04')).toBe('other 100/10000')
  expect(cost('search.list', '2026-05-31')).toBe('other 100/10000')
  expect(cost('videos.insert', '2026-06-01')).toBe('videos.insert 1/100')
  expect(cost('search.list', '2026-11-22')).toBe('search.list 1/100')
  expect(cost('captions.update', '2026-11-22')).toBe('other 450/10000')
})

test('GTW-43 the forecast goes on at the day’s pace', () => {
  const day = pacificDay(new Date('2026-11-22T20:00:00Z'))
  expect(forecastOf(40, day, new Date('2026-11-22T20:00:00Z'))).toBe(80)
  expect(forecastOf(2, day, new Date('2026-11-22T08:00:01Z'))).toBe(48)
})

test.each([
  ['https://www.googleapis.com', 'https://evil.example/upload?upload_id=1', null],
  ['https://www.googleapis.com', 'http://www.googleapis.com/upload?upload_id=1', null],
  ['https://www.googleapis.com', 'https://youtube.googleapis.com/u?upload_id=1', 'https://youtube.googleapis.com'],
  ['http://127.0.0.1:3200/dev/video', 'http://127.0.0.1:3200/dev/video/u?upload_id=1', 'http://127.0.0.1:3200'],
  ['/dev/video', 'http://localhost/dev/video/u?upload_id=1', '/dev/video'],
  ['/dev/video', 'http://localhost/api/users', null],
])('GTW-43 a user’s token is only sent to the provider: %s, %s', (base, uri, expected) => {
  const attempt = () => addressOf(base, uri).baseUrl
  if (expected === null) expect(attempt).toThrow('another host')
  else expect(attempt()).toBe(expected)
})

test('GTW-43 an unknown upload is 404', async () => {
  const response = await clientOf(newUser().token).fetch(`GET /platform/youtube/videos/${newId()}`)
  expect(response.status).toBe(404)
})

test('GTW-43 a token that expires during an upload is replaced, and the bytes before it stay', async () => {
  const { project, token } = newUser()
  const client = clientOf(token)
  const bytes = bytesOf(2 * granule)
  const { id } = await client.start(bytes.length)
  expect((await client.send(id, bytes.subarray(0, granule))).status).toBe(200)
  const expired = clientOf(`${token}.expired`)
  expect(await codeOf(await expired.send(id, bytes.subarray(granule), granule))).toEqual([
    409,
    'provider_token_rejected',
  ])
  const refreshed = clientOf(`${token}.upload`)
  expect((await refreshed.send(id, bytes.subarray(granule), granule)).status).toBe(200)
  expect(await held(project)).toHaveLength(1)
})

test('GTW-43 a second sender of an upload gets 423 while the first one sends', async () => {
  const { token } = newUser()
  const client = clientOf(token)
  const { id } = await client.start(10)
  const gate = Promise.withResolvers<void>()
  const slow = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      await gate.promise
      controller.enqueue(bytesOf(10))
      controller.close()
    },
  })
  const first = client.send(id, slow)
  const isSending = async () => (await client.get(id)).isReceiving
  expect(await eventually(isSending)).toBe(true)
  expect(await codeOf(await client.send(id, bytesOf(10)))).toEqual([423, 'upload_locked'])
  gate.resolve()
  expect([(await first).status, (await client.get(id)).state]).toEqual([200, 'completed'])
})

test('GTW-43 users’ tokens are neither logged nor stored', async () => {
  const { token } = newUser('secretive')
  await clientOf(token).fetch('GET /platform/youtube/channels/mine')
  await clientOf(`${token}.expired`)
    .start(10)
    .catch(() => {})
  const tables = ['gateway.video_uploads', 'gateway.usage_logs', 'platform.audit_log', 'platform.idempotency_keys']
  for (const table of tables) {
    const rows = await world.database.sql.unsafe(
      `SELECT t::text AS text FROM ${table} t WHERE t::text LIKE '%secretive%'`,
    )
    expect([table, rows.length]).toEqual([table, 0])
  }
  expect(lines.filter((line) => line.includes('ya29'))).toEqual([])
})

test('GTW-43 fault after a call doesn’t replace its problem, and a lease that can’t be released ends by itself', async () => {
  const { ada, database } = world
  const { token } = newUser()
  const client = clientOf(token)
  const { id } = await client.start(10)
  await database.sql.unsafe(`
    CREATE FUNCTION gateway.refuse_change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''disk full''; END';
    CREATE TRIGGER refuse_release BEFORE UPDATE ON gateway.video_uploads FOR EACH ROW
      WHEN (OLD.id = '${id}' AND NEW.writer IS NULL) EXECUTE FUNCTION gateway.refuse_change();
    CREATE TRIGGER refuse_return BEFORE UPDATE ON gateway.video_quota FOR EACH ROW
      WHEN (NEW.used < OLD.used) EXECUTE FUNCTION gateway.refuse_change()`)
  try {
    expect((await client.send(id, bytesOf(10))).status).toBe(200)
    expect((await client.get(id)).state).toBe('completed')
    const secret = { clientId: '434343434343-abc.apps.googleusercontent.com', clientSecret: 'not-a-secret' }
    const credential = { level: 'organization', label: 'main', baseUrl: 'http://127.0.0.1:9', secret }
    expect((await ada.fetch('PUT /api/credentials/youtube', credential)).status).toBeWithin(200, 202)
    const { token: other } = newUser()
    const refused = await clientOf(other, adas(), secret.clientId).fetch('GET /platform/youtube/channels/mine')
    expect(await codeOf(refused)).toEqual([502, 'provider_failed'])
  } finally {
    await database.sql.unsafe(`
      DROP TRIGGER refuse_release ON gateway.video_uploads; DROP TRIGGER refuse_return ON gateway.video_quota;
      DROP FUNCTION gateway.refuse_change()`)
    await database.sql`DELETE FROM gateway.provider_credentials WHERE provider = 'youtube'`
    await world.provided.upstreams.forgetCredentials(database.db)
  }
})

test('GTW-43 comments are written and listed with the user’s token, counted and metered', async () => {
  const { project, token } = newUser()
  const client = clientOf(token)
  const { id: uploadId } = await client.start(100)
  await client.send(uploadId, bytesOf(100))
  const videoId = (await client.get(uploadId)).video?.id ?? ''
  await world.database.sql`
    UPDATE practice_video.videos SET metadata = jsonb_set(metadata, '{status,privacyStatus}', '"unlisted"') WHERE id = ${videoId}`
  const path = (id: string) => `/platform/youtube/channels/mine/videos/${id}/comments`
  const before = (await usedUnits(project))['other'] ?? 0
  const written = await client.fetch(`POST ${path(videoId)}`, { text: 'Recipe < below' })
  const comment = await written.json()
  expect([written.status, comment]).toMatchObject([
    201,
    { text: 'Recipe < below', url: `https://www.youtube.com/watch?v=${videoId}&lc=${comment.id}` },
  ])
  await clientOf(newUser('guest').token).fetch(`POST ${path(videoId)}`, { text: 'Nice' })
  const list = await client.json<{ items: { id: string; channelId: string }[]; nextCursor: string }>(
    `GET ${path(videoId)}?limit=1`,
  )
  const channel = await client.json<{ id: string }>('GET /platform/youtube/channels/mine')
  expect(list.items).toMatchObject([{ text: 'Nice' }])
  expect(list.items[0]?.channelId).not.toBe(channel.id)
  expect(await client.json(`GET ${path(videoId)}?cursor=${list.nextCursor}`)).toMatchObject({
    items: [{ id: comment.id, channelId: channel.id }],
    nextCursor: null,
  })
  expect(await client.json(`GET ${path(videoId)}?moderation=heldForReview`)).toMatchObject({ items: [] })
  expect((await usedUnits(project))['other']).toBe(before + 50 + 4)
  expect((await usedUnits(project))['other']).toBe((await providerUnits(project))['other'])
  await world.provided.ledger.settled()
  const metered = (await usageOf(project)).filter(({ model }) => model.startsWith('commentThreads'))
  expect(metered.map(({ model, quantity }) => [model, quantity])).toEqual([
    ['commentThreads.insert', 50],
    ['commentThreads.list', 1],
    ['commentThreads.list', 1],
    ['commentThreads.list', 1],
  ])
  expect(await codeOf(await client.fetch(`POST ${path('unknown')}`, { text: 'First' }))).toEqual([404, 'not_found'])
  await behave(project, { mode: 'lose_answer', on: 'api', times: 1 })
  const lost = await (await client.fetch(`POST ${path(videoId)}`, { text: 'Lost' })).json()
  expect([lost.code, lost.mayHaveArrived]).toEqual(['provider_failed', undefined])
  expect((await client.json<{ items: unknown[] }>(`GET ${path(videoId)}`)).items).toMatchObject([
    { text: 'Lost' },
    {},
    {},
  ])
})
