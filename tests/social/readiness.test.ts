import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import sharp from 'sharp'
import type { Brand, ListedPost, Media, PostDetails } from '#social/types'
import { createMetrics } from '#lib/metrics.ts'
import { apiVersion } from '../../src/social/networks/linkedin/api.ts'
import { watchApiVersions } from '../../src/social/networks/api-versions.ts'
import { updateActions } from '../../src/social/raised/update-actions.ts'
import { checkDuePosts, checkPost } from '../../src/social/readiness/jobs.ts'
import { waitUntil } from '../boot/program.ts'
import { labelsOf, openActions, press, type OpenAction } from '../dashboard/raised/acting.ts'
import { openWorld, type World } from '../support/world.ts'

let world: World
let brandId: string

beforeAll(async () => {
  world = await openWorld()
  await world.provided.queue.work([updateActions, checkPost, checkDuePosts], world.provided, () => new Date())
})
afterAll(() => world.close())

beforeEach(async () => {
  const brand = { name: 'Roastery', slug: `r-${crypto.randomUUID()}` }
  brandId = (await world.ada.fetchJson<Brand>('POST /api/brands', brand, 201)).id
})

const inMinutes = (minutes: number): string => new Date(Date.now() + minutes * 60_000).toISOString()

const connect = async (handle: string): Promise<string> => {
  const form = { brandId, handle: `${handle}-${brandId.slice(-6)}` }
  const route = 'POST /api/integrations/sandbox/connect'
  return (await world.ada.fetchJson<{ connection: { id: string } }>(route, form, 201)).connection.id
}

const schedule = async (minutes: number, values: object = {}): Promise<string> => {
  const fields = {
    brandId,
    provider: 'sandbox',
    text: 'Maple latte',
    status: 'scheduled',
    scheduledAt: inMinutes(minutes),
  }
  return (await world.ada.fetchJson<ListedPost>('POST /api/posts', { ...fields, ...values }, 201)).id
}

const read = (id: string) => world.ada.fetchJson<PostDetails>(`GET /api/posts/${id}`)
const codesOf = ({ readiness }: ListedPost) => readiness?.reasons.map(({ code }) => code)
const draw = async (path: string): Promise<string> =>
  (await world.ada.fetch(`GET ${path}`, undefined, { accept: 'text/html' })).text()

const actions = () => openActions(world, `social.${brandId}.`)
const until = async (isMet: (open: OpenAction[]) => boolean): Promise<OpenAction[]> => {
  await waitUntil(async () => isMet(await actions()))
  return actions()
}
const untilOne = async (): Promise<OpenAction | undefined> => (await until((open) => open.length === 1))[0]
const untilNone = () => until((open) => open.length === 0)
const checkDue = () =>
  checkDuePosts.run({ ...world.provided, database: world.database, now: () => new Date(), input: {} })

const checkedFor = async (id: string): Promise<string | null | undefined> => {
  const [row] = await world.database.sql<{ at: Date | null }[]>`
    SELECT checked_for AS at FROM social.post_checks WHERE post_id = ${id}`
  return row ? (row.at?.toISOString() ?? null) : undefined
}

test('SOC-15 scheduled post is ready when everything is fine, and says when it was checked', async () => {
  await connect('fine')
  const id = await schedule(90)
  await waitUntil(async () => (await checkedFor(id)) === null)
  const post = await read(id)
  expect(post.readiness).toEqual({ state: 'ready', reasons: [], checkedAt: expect.any(String) })
  const { items } = await world.ada.fetchJson<{ items: ListedPost[] }>(`GET /api/posts?brandId=${brandId}`)
  expect(items[0]?.readiness?.state).toBe('ready')
  expect(await draw(`/workspace/posts/${id}?brandId=${brandId}`)).toContain('Will be published')
  expect(await draw(`/workspace/posts?brandId=${brandId}`)).toContain('aria-label="Will be published"')
  expect(await actions()).toEqual([])
})

test('SOC-15 drafts have no readiness', async () => {
  await connect('none')
  const draft = await schedule(90)
  await world.ada.fetchJson(`PUT /api/posts/${draft}`, { status: 'draft' })
  expect((await read(draft)).readiness).toBeNull()
})

test('SOC-15 post without an account raises an action, which is resolved once one is connected', async () => {
  const id = await schedule(90)
  const action = await untilOne()
  expect(action).toMatchObject({ kind: 'social.post_unready', title: 'A scheduled post to Sandbox won’t be published' })
  expect(action?.reason).toContain('“Maple latte” of Roastery is due on')
  expect(codesOf(await read(id))).toEqual(['connection_missing'])
  expect(await draw(`/workspace/posts?brandId=${brandId}`)).toContain('Won’t be published')
  await connect('new')
  await untilNone()
  expect((await read(id)).readiness?.state).toBe('ready')
})

test.each(['moved to drafts', 'deleted'] as const)('SOC-15 action of a post is resolved when it is %s', async (how) => {
  const id = await schedule(90)
  await untilOne()
  if (how === 'deleted') await world.ada.fetch(`DELETE /api/posts/${id}`)
  else await world.ada.fetchJson(`PUT /api/posts/${id}`, { status: 'draft' })
  await untilNone()
})

test('SOC-15 posts of a signed-out account are marked, and lead to the account', async () => {
  const account = await connect('out')
  const id = await schedule(90)
  await world.database.sql`UPDATE social.connections SET health = 'signed_out' WHERE id = ${account}`
  await checkDue()
  expect(codesOf(await read(id))).toEqual(['signed_out'])
  expect((await read(id)).readiness?.reasons[0]?.href).toBe(`/workspace/accounts/${account}`)
})

test('SOC-15 SOC-47 paused posts raise an action only an hour before, which resumes publishing', async () => {
  await connect('paused')
  await world.ada.fetchJson('POST /api/publishing/pause', { brandId })
  const [soon, later] = [await schedule(30), await schedule(90)]
  await waitUntil(async () => (await checkedFor(later)) === null)
  expect([codesOf(await read(soon)), codesOf(await read(later))]).toEqual([['paused'], ['paused']])
  expect(await actions()).toEqual([])
  await checkDue()
  const action = await untilOne()
  expect(action?.title).toBe('A scheduled post to Sandbox won’t be published')
  expect(labelsOf(action ?? { actions: [] })).toEqual(['Resume', 'See the post'])
  expect((await press(world.ada, action, 'Resume')).status).toBe(200)
  await checkDue()
  await untilNone()
})

test('SOC-15 post is checked an hour before it is due, once, and again after it was moved', async () => {
  await connect('hour')
  const [soon, later] = [await schedule(30), await schedule(90)]
  for (const id of [soon, later]) await waitUntil(async () => (await checkedFor(id)) === null)
  await checkDue()
  expect([await checkedFor(soon), await checkedFor(later)]).toEqual([(await read(soon)).scheduledAt, null])
  const before = (await read(soon)).readiness?.checkedAt
  await checkDue()
  expect((await read(soon)).readiness?.checkedAt).toBe(before)
  await world.ada.fetchJson(`PUT /api/posts/${soon}`, { scheduledAt: inMinutes(40) })
  await checkDue()
  expect(await checkedFor(soon)).toBe((await read(soon)).scheduledAt)
})

test('SOC-15 deleted file, a failed post before in the thread and a rate limit are named', async () => {
  const account = await connect('content')
  const parts = { thread: [{ text: 'One' }, { text: 'Two' }], text: undefined }
  const { items } = await world.ada.fetchJson<{ items: ListedPost[] }>(
    'POST /api/posts',
    { brandId, provider: 'sandbox', status: 'scheduled', scheduledAt: inMinutes(90), ...parts },
    201,
  )
  const [first = '', second = ''] = items.map(({ id }) => id)
  await world.ada.fetchJson(`PUT /api/posts/${first}`, { status: 'draft' })
  expect(codesOf(await read(second))).toEqual(['thread_predecessor'])
  const id = await schedule(90)
  await world.database
    .sql`UPDATE social.posts SET media = ${JSON.stringify([{ mediaId: crypto.randomUUID(), alt: '' }])}::text::jsonb WHERE id = ${id}`
  expect(codesOf(await read(id))).toEqual(['media_unfit'])
  const limited = await schedule(90)
  await world.database.sql`
    INSERT INTO social.rate_windows (provider, host, account, opens_at)
    SELECT provider, host, external_id, now() + interval '2 hours' FROM social.connections WHERE id = ${account}`
  expect((await read(limited)).readiness).toMatchObject({ state: 'warning', reasons: [{ code: 'rate_limited' }] })
  await world.database.sql`UPDATE social.rate_windows SET opens_at = now() + interval '3 hours'`
  expect((await read(limited)).readiness).toMatchObject({ state: 'problem', reasons: [{ code: 'rate_limited' }] })
  await world.database.sql`DELETE FROM social.rate_windows`
})

async function upload(): Promise<string> {
  const drawn = sharp({ create: { width: 40, height: 40, channels: 3, background: 'red' } })
  const file = (await drawn.png().toBuffer()).toString('base64')
  return (await world.ada.fetchJson<Media>('POST /api/media', { brandId, file, alt: 'Red' }, 201)).id
}

const keyOf = (mediaId: string): string => `social/${brandId}/${mediaId}.original`
const withFile = (mediaId: string) => ({ media: [{ mediaId, alt: '' }] })
const missing = { state: 'problem', message: 'A file of this post is missing. Replace it.' } as const

test('SOC-15 post whose file is missing in the storage is a problem until it is replaced', async () => {
  await connect('lost')
  const [lost, other] = [await upload(), await upload()]
  const soon = await schedule(30, withFile(lost))
  await waitUntil(async () => (await checkedFor(soon)) === null)
  expect((await read(soon)).readiness?.state).toBe('ready')
  await world.provided.storage.delete(keyOf(lost))
  const later = await schedule(90, withFile(lost))
  const action = await untilOne()
  expect(action?.reason).toContain(missing.message)
  const edit = `/workspace/posts/${later}/edit`
  expect((await read(later)).readiness?.reasons).toEqual([{ ...missing, code: 'media_missing', href: edit }])
  await checkDue()
  expect(codesOf(await read(soon))).toEqual(['media_missing'])
  for (const id of [soon, later]) await world.ada.fetchJson(`PUT /api/posts/${id}`, withFile(other))
  expect(codesOf(await read(soon))).toEqual([])
  await untilNone()
})

test('SOC-15 unavailable storage is no problem of a post, and solves none', async () => {
  await connect('away')
  const [lost, kept] = [await upload(), await upload()]
  await world.provided.storage.delete(keyOf(lost))
  const broken = await schedule(30, withFile(lost))
  await untilOne()
  const { storage } = world.provided
  const { exists } = storage
  let calls = 0
  Object.assign(storage, {
    exists: () => {
      calls += 1
      return Promise.reject(new Error('The storage is away'))
    },
  })
  try {
    const fine = await schedule(30, withFile(kept))
    await waitUntil(async () => (await checkedFor(fine)) === null)
    await checkDue()
    expect(calls).toBeGreaterThan(0)
    expect(await checkedFor(fine)).toBe((await read(fine)).scheduledAt)
    expect([codesOf(await read(fine)), codesOf(await read(broken))]).toEqual([[], ['media_missing']])
  } finally {
    Object.assign(storage, { exists })
  }
  await world.provided.storage.put(keyOf(lost), new Uint8Array([1]), 'image/png')
  await checkDue()
  expect(codesOf(await read(broken))).toEqual([])
  await untilNone()
})

test('SOC-02 SOC-15 actions of scheduled posts follow a brand to another organization', async () => {
  await schedule(90)
  const before = await untilOne()
  const { moveActions } = await import('../../src/social/raised/move-actions.ts')
  await world.database.transaction((tx) => moveActions(tx, world.provided, brandId))
  await waitUntil(async () => (await actions()).length === 1)
  expect((await untilOne())?.title).toBe(before?.title ?? '')
})

test('SOC-15 operators are warned 60 days before a network ends the version of its API', async () => {
  const warnings: unknown[] = []
  const log = { warn: (_: string, facts?: object) => void warnings.push(facts) }
  const watchAt = async (at: number) => {
    const metrics = createMetrics()
    watchApiVersions({ log, metrics }, () => new Date(at))
    return metrics.text()
  }
  const end = Date.parse(apiVersion.endsOn)
  await watchAt(Date.parse('2026-11-29'))
  expect(warnings).toEqual([])
  expect(await watchAt(end - 30 * 86_400_000)).toContain(`provider="linkedin",version="${apiVersion.name}"} 30`)
  expect(warnings).toContainEqual({ provider: 'linkedin', version: apiVersion.name, days: 30 })
})
