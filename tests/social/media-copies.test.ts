import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import type { Storage } from '#lib/storage.ts'
import type { Brand, Media, Post } from '#social/types'
import { sweepFiles } from '../../src/social/media/jobs/sweep-files.job.ts'
import { waitUntil } from '../boot/program.ts'
import { openWorld, type World } from '../support/world.ts'

let world: World
let tea: Brand
const createBrand = (who: World['ada'], name: string) =>
  who.fetchJson<Brand>('POST /api/brands', { name, timeZone: 'Europe/Berlin' }, 201)
beforeAll(async () => {
  world = await openWorld()
  tea = await createBrand(world.ada, 'Acme Tea')
})
afterAll(() => world.close())

async function upload(color: string, who = world.ada): Promise<Media> {
  const file = await sharp({ create: { width: 40, height: 40, channels: 3, background: color } })
    .png()
    .toBuffer()
  const image = { brandId: who.things.brands, file: file.toString('base64'), name: `${color}.png`, alt: color }
  return who.fetchJson<Media>('POST /api/media', image, 201)
}

async function bytesOf({ id }: { id: string }, rendition = ''): Promise<string> {
  const response = await world.ada.fetch(`GET /api/media/${id}/file${rendition}`)
  expect(response.status).toBe(200)
  return Buffer.from(await response.arrayBuffer()).toString('base64')
}

const listTea = async () =>
  (await world.ada.fetchJson<{ items: Media[] }>(`GET /api/media?brandId=${tea.id}`)).items.map(({ id }) => id)

interface Copies {
  items: Media[]
}
const copyFiles = (mediaIds: string[], who = world.ada, brandId = tea.id) =>
  who.fetch('POST /api/media/copies', { brandId, mediaIds })

async function draftWith(files: Media[]): Promise<string> {
  const media = files.map(({ id, alt }) => ({ mediaId: id, alt }))
  const draft = { brandId: world.ada.things.brands, provider: 'sandbox', text: 'Colors', media }
  const { id } = await world.ada.fetchJson<Post>('POST /api/posts', draft, 201)
  return `POST /api/posts/${id}/duplicate`
}

const looseFiles = () => world.database.sql<{ key: string }[]>`SELECT key FROM social.loose_files`
const sweepNow = () => sweepFiles.run({ ...world.provided, input: {}, database: world.database, now: () => new Date() })
const storedOf = (brandId: string) => readdirSync(join(world.provided.config.DATA_DIR, 'files/social', brandId)).sort()

/** Until `restore` is called, another function stores files. */
function replacePutFile(putFile: Storage['putFile']): { original: Storage['putFile']; restore(): void } {
  const { storage } = world.provided
  const { putFile: original } = storage
  Object.assign(storage, { putFile })
  return { original, restore: () => void Object.assign(storage, { putFile: original }) }
}

test('SOC-11 files are copied to the library of another brand, with their renditions, and outlive the originals', async () => {
  const [red, blue] = [await upload('red'), await upload('blue')]
  const body = { brandId: tea.id, mediaIds: [red.id, blue.id, red.id] }
  const { items } = await world.ada.fetchJson<Copies>('POST /api/media/copies', body, 201)
  expect(items).toMatchObject(
    [red, blue].map(({ sha256, name, alt, width, bytes }) => ({ brandId: tea.id, sha256, name, alt, width, bytes })),
  )
  expect(await listTea()).toEqual(items.map(({ id }) => id).toReversed())
  const [copy = red] = items
  const before = [await bytesOf(red), await bytesOf(red, '/thumb')]
  await world.ada.fetchJson(`DELETE /api/media/${red.id}`, undefined, 204)
  expect([await bytesOf(copy), await bytesOf(copy, '/thumb')]).toEqual(before)
})

test('SOC-11 post is copied to another brand with its files and alt texts, or without files', async () => {
  const [red, blue] = [await upload('red'), await upload('blue')]
  const path = await draftWith([
    { ...blue, alt: 'Sky' },
    { ...red, alt: 'Rose' },
  ])
  const copied = await world.ada.fetchJson<{ items?: Post[] } & Post>(path, { brandId: tea.id }, 201)
  const copy = copied.items?.[0] ?? copied
  expect(copy).toMatchObject({ brandId: tea.id, text: 'Colors', media: [{ alt: 'Sky' }, { alt: 'Rose' }] })
  const hashes = await Promise.all(
    copy.media.map(async ({ mediaId }) => (await world.ada.fetchJson<Media>(`GET /api/media/${mediaId}`)).sha256),
  )
  expect(hashes).toEqual([blue.sha256, red.sha256])
  const without = await world.ada.fetchJson<{ items?: Post[] } & Post>(path, { brandId: tea.id, media: false }, 201)
  expect((without.items?.[0] ?? without).media).toEqual([])
})

test('SOC-11 copy of a post that is refused stores no file', async () => {
  const path = await draftWith([await upload('red')])
  await sweepNow()
  const before = storedOf(tea.id)
  const { brands: connectionId } = world.ada.things
  for (const targets of [[{ provider: 'sandbox', target: { connectionId } }], twice({ provider: 'sandbox' })])
    expect((await world.ada.fetch(path, { brandId: tea.id, targets })).status).toBe(422)
  expect([storedOf(tea.id), await looseFiles()]).toEqual([before, []])
})

const twice = <Item>(item: Item): Item[] => [item, item]

test('SOC-11 copied files are deleted at once when their post can’t be stored', async () => {
  const path = await draftWith([await upload('red'), await upload('blue')])
  const before = storedOf(tea.id)
  const { sql } = world.database
  await sql.unsafe(`
    CREATE FUNCTION social.refuse_post() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''disk full''; END';
    CREATE TRIGGER refuse_post BEFORE INSERT ON social.posts FOR EACH ROW EXECUTE FUNCTION social.refuse_post()`)
  const refused = await world.ada.fetch(path, { brandId: tea.id })
  await sql.unsafe('DROP TRIGGER refuse_post ON social.posts; DROP FUNCTION social.refuse_post()')
  expect(refused.status).toBe(500)
  expect(storedOf(tea.id).length).toBeGreaterThan(before.length)
  await sweepNow()
  expect([storedOf(tea.id), await looseFiles()]).toEqual([before, []])
})

test('SOC-11 copying stops when the client goes away, and deletes what it has copied', async () => {
  const mediaIds = [(await upload('red')).id, (await upload('blue')).id]
  const before = storedOf(tea.id)
  const client = new AbortController()
  const written: string[] = []
  const { original, restore } = replacePutFile(async (...given) => {
    await original(...given)
    written.push(given[0])
    client.abort()
  })
  try {
    await world.handle(
      new Request('http://localhost/api/media/copies', {
        method: 'POST',
        headers: { ...world.ada.credential, 'content-type': 'application/json' },
        body: JSON.stringify({ brandId: tea.id, mediaIds }),
        signal: client.signal,
      }),
    )
  } finally {
    restore()
  }
  expect(written).toHaveLength(1)
  await sweepNow()
  expect([storedOf(tea.id), await looseFiles()]).toEqual([before, []])
})

test('SOC-11 requests of one organization copy files one after another, and those of others in between', async () => {
  const [red, theirs] = [await upload('red'), await upload('blue', world.mallory)]
  const oat = await createBrand(world.mallory, 'Umbrella Oat')
  const gate = Promise.withResolvers<void>()
  let [running, most] = [0, 0]
  const { original, restore } = replacePutFile(async (...given) => {
    if (!given[0].includes(tea.id)) return original(...given)
    most = Math.max(most, ++running)
    await gate.promise
    await original(...given)
    running -= 1
  })
  try {
    const copying = Array.from({ length: 7 }, () => copyFiles([red.id]))
    // One runs and four wait: the others are refused at once.
    const refused = await Promise.any(
      copying.map(async (each) => ((await each).status === 429 ? (await each).clone() : Promise.reject(new Error()))),
    )
    expect([await refused.json(), refused.headers.get('retry-after')]).toMatchObject([{ code: 'too_many_copies' }, '5'])
    expect((await copyFiles([theirs.id], world.mallory, oat.id)).status).toBe(201)
    gate.resolve()
    const statuses = (await Promise.all(copying)).map(({ status }) => status)
    expect([statuses.toSorted((one, other) => one - other), most]).toEqual([[201, 201, 201, 201, 201, 429, 429], 1])
  } finally {
    gate.resolve()
    restore()
  }
})

test('SOC-11 files of other organizations can’t be copied, nor to their brands', async () => {
  const red = await upload('red')
  const foreign = await copyFiles([red.id], world.mallory, world.mallory.things.brands)
  const elsewhere = await copyFiles([red.id], world.ada, world.mallory.things.brands)
  expect([foreign.status, elsewhere.status]).toEqual([404, 404])
  const none = await copyFiles([])
  expect([none.status, (await none.json()).errors[0].path]).toEqual([422, 'mediaIds'])
})

test('SOC-11 SOC-43 copies of files that were written while their brand moved to another organization are refused', async () => {
  const red = await upload('red')
  const moved = await createBrand(world.ada, 'Acme Moved')
  const gate = Promise.withResolvers<void>()
  const written = Promise.withResolvers<void>()
  const { original, restore } = replacePutFile(async (...given) => {
    await original(...given)
    written.resolve()
    await gate.promise
  })
  try {
    const copying = copyFiles([red.id], world.ada, moved.id)
    await written.promise
    const { organizations } = world.mallory.things
    await world.database.sql.begin(async (tx) => {
      await tx`UPDATE social.brands SET platform_org_id = ${organizations} WHERE id = ${moved.id}`
      gate.resolve()
      // It waits for the end of this transaction.
      await waitUntil(
        async () =>
          (await tx`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`)
            .length > 0,
      )
    })
    expect((await copying).status).toBe(404)
  } finally {
    gate.resolve()
    restore()
  }
})

/** The status, field and message of a refusal. */
async function refusalOf(response: Response): Promise<unknown[]> {
  const { errors = [] } = await response.json()
  return [response.status, errors[0]?.path, errors[0]?.message]
}

test('SOC-11 request copies files of at most 1 GB', async () => {
  const red = await upload('red')
  const path = await draftWith([red])
  const rest = await world.database.sql<{ bytes: number }[]>`
    SELECT (stored_bytes - bytes)::int AS bytes FROM social.media WHERE id = ${red.id}`
  const resize = (bytes: number) => world.database.sql`UPDATE social.media SET bytes = ${bytes} WHERE id = ${red.id}`
  const most = 1_000_000_000 - (rest[0]?.bytes ?? 0)
  await resize(most + 1)
  const message = 'Files of up to 1 GB can be copied at once. Copy fewer, or upload them.'
  expect(await refusalOf(await copyFiles([red.id]))).toEqual([422, 'mediaIds', message])
  expect(await refusalOf(await world.ada.fetch(path, { brandId: tea.id }))).toEqual([422, 'media', message])
  await resize(most)
  expect((await copyFiles([red.id])).status).toBe(201)
  await resize(red.bytes)
})

test('SOC-11 request copies at most 50 files', async () => {
  const green = [await upload('green')]
  // Each request copies all that there are.
  while (green.length < 51) {
    const mediaIds = green.slice(0, 51 - green.length).map(({ id }) => id)
    const { brands: brandId } = world.ada.things
    green.push(...(await world.ada.fetchJson<Copies>('POST /api/media/copies', { brandId, mediaIds }, 201)).items)
  }
  const many = await copyFiles(green.map(({ id }) => id))
  expect(await refusalOf(many)).toEqual([422, 'mediaIds', 'Choose at most 50 files.'])
  const media = green.map(({ id }) => ({ mediaId: id }))
  const thread = [
    { text: 'One', media: media.slice(0, 40) },
    { text: 'Two', media: media.slice(40) },
  ]
  const draft = { brandId: world.ada.things.brands, provider: 'sandbox', thread }
  const { items } = await world.ada.fetchJson<{ items: Post[] }>('POST /api/posts', draft, 201)
  const path = `POST /api/posts/${items[0]?.id}/duplicate`
  const whole = await world.ada.fetch(path, { brandId: tea.id, thread: true })
  expect(await refusalOf(whole)).toEqual([422, 'media', 'At most 50 files can be copied at once.'])
  expect((await world.ada.fetch(path, { brandId: tea.id })).status).toBe(201)
})

test('SOC-11 SOC-30 full storage refuses copies of files, and not copies of posts that need none', async () => {
  const [red, blue] = [await upload('red'), await upload('blue')]
  const path = await draftWith([red])
  await world.database.sql`UPDATE social.media SET bytes = 60000000000 WHERE id = ${blue.id}`
  expect((await world.ada.fetch(path, { targets: [{ provider: 'sandbox' }] })).status).toBe(201)
  expect((await world.ada.fetch(path, { brandId: tea.id, media: false })).status).toBe(201)
  for (const refused of [await copyFiles([red.id]), await world.ada.fetch(path, { brandId: tea.id })])
    expect([refused.status, (await refused.json()).code]).toEqual([409, 'upload_quota_exceeded'])
  await world.database.sql`UPDATE social.media SET bytes = ${blue.bytes} WHERE id = ${blue.id}`
})
