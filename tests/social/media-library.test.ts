import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import type { BulkResult, ListedMedia, Media, MediaFit, MediaStorage, MediaTag, MediaUse } from '#social/types'
import { newId } from '#lib/ids.ts'
import { readingOf } from '../payments/recorded-plans.ts'
import { scaleTime } from '../support/time-scale.ts'
import { dot, openWorld, type World } from '../support/world.ts'

let world: World
let brandId: string

beforeAll(async () => {
  world = await openWorld()
  brandId = await createBrand('Library')
})

afterAll(() => world.close())

const createBrand = async (name: string): Promise<string> =>
  (await world.ada.fetchJson<{ id: string }>('POST /api/brands', { name, timeZone: 'Europe/Berlin' }, 201)).id

const upload = (fields: { name?: string; alt?: string } = {}, brand = brandId) =>
  world.ada.fetchJson<Media>('POST /api/media', { brandId: brand, file: dot, ...fields }, 201)

const tag = (media: Media, tags: string[]) => world.ada.fetchJson<Media>(`PUT /api/media/${media.id}`, { tags })

const use = (media: Media, status = 'draft') =>
  world.ada.fetchJson<{ id: string }>(
    'POST /api/posts',
    { brandId: media.brandId, provider: 'sandbox', text: 'Latte art night', status, media: [{ mediaId: media.id }] },
    201,
  )

interface Page<Item> {
  items: Item[]
  nextCursor: string | null
}

const list = (query: string, brand = brandId) =>
  world.ada.fetchJson<Page<ListedMedia>>(`GET /api/media?brandId=${brand}&${query.replaceAll(' ', '+')}`)

const namesIn = async (query: string, brand = brandId): Promise<string[]> =>
  (await list(query, brand)).items.map(({ name }) => name).toSorted()

test('SOC-30 search finds files whose name, alt text or tags contain every word, in any case', async () => {
  const brand = await createBrand('Searched')
  await upload({ name: 'latte.jpg', alt: 'A leaf drawn in milk' }, brand)
  const bag = await upload({ name: 'bag.jpg', alt: '100 % arabica' }, brand)
  await tag(bag, ['Winter menu'])
  expect(await namesIn('q=LEAF', brand)).toEqual(['latte.jpg'])
  expect(await namesIn('q=menu bag', brand)).toEqual(['bag.jpg'])
  expect(await namesIn('q=menu latte', brand)).toEqual([])
  expect(await namesIn('q=jpg', brand)).toEqual(['bag.jpg', 'latte.jpg'])
  expect(await namesIn(`q=${encodeURIComponent('%')}`, brand)).toEqual(['bag.jpg'])
  expect(await namesIn('q=', brand)).toEqual(['bag.jpg', 'latte.jpg'])
})

test('SOC-30 files are filtered by tag, use and missing alt text, and the tags of a brand are counted', async () => {
  const brand = await createBrand('Filtered')
  const [winter, used, plain] = [
    await upload({ name: 'winter' }, brand),
    await upload({ name: 'used', alt: 'A dot' }, brand),
    await upload({ name: 'plain', alt: 'A dot' }, brand),
  ]
  expect((await tag(winter, ['Winter', ' Latte ', 'winter'])).tags).toEqual(['Winter', 'Latte'])
  await tag(plain, ['Latte'])
  await use(used)
  expect(await namesIn('tag=Latte', brand)).toEqual(['plain', 'winter'])
  expect(await namesIn('used=true', brand)).toEqual(['used'])
  expect(await namesIn('used=false', brand)).toEqual(['plain', 'winter'])
  expect(await namesIn('alt=missing', brand)).toEqual(['winter'])
  expect(await namesIn('used=false&tag=Latte&q=dot', brand)).toEqual(['plain'])
  const tags = await world.ada.fetchJson<Page<MediaTag>>(`GET /api/media/tags?brandId=${brand}`)
  expect(tags.items).toEqual([
    { tag: 'Latte', files: 2 },
    { tag: 'Winter', files: 1 },
  ])
})

test('SOC-30 file says how many posts use it, and lists them', async () => {
  const media = await upload({ name: 'logo' })
  const posts = [await use(media), await use(media)]
  await use(await upload())
  const { items } = await list('q=logo')
  expect(items).toMatchObject([{ id: media.id, usedIn: 2 }])
  const uses = await world.ada.fetchJson<Page<MediaUse>>(`GET /api/media/${media.id}/posts`)
  expect(uses.items.map(({ id }) => id)).toEqual(posts.map(({ id }) => id).toReversed())
  expect(uses.items[0]).toMatchObject({ provider: 'sandbox', status: 'draft', text: 'Latte art night' })
  const first = await world.ada.fetchJson<Page<MediaUse>>(`GET /api/media/${media.id}/posts?limit=1`)
  expect(first.nextCursor).not.toBeNull()
})

const change = (input: object) => world.ada.fetchJson<BulkResult>('POST /api/media/bulk', input)

test('SOC-30 several files are tagged, untagged and deleted at once, and used ones stay with the reason', async () => {
  const [free, used] = [await upload({ name: 'free' }), await upload({ name: 'used' })]
  const post = await use(used)
  const ids = [free.id, used.id]
  expect(await change({ ids, action: 'tag', tags: ['Spring', 'Sale'] })).toMatchObject({ succeeded: 2, failed: 0 })
  expect(await change({ ids, action: 'untag', tags: ['sale'] })).toMatchObject({ succeeded: 2 })
  expect((await list('tag=Spring')).items.map(({ tags }) => tags)).toEqual([['Spring'], ['Spring']])
  const absent = newId()
  const deleted = await change({ ids: [...ids, absent], action: 'delete' })
  expect(deleted).toMatchObject({ succeeded: 1, failed: 2 })
  const errors = new Map(deleted.items.map(({ id, error }) => [id, error]))
  expect(errors.get(free.id)).toBeNull()
  expect(errors.get(used.id)).toMatchObject({ code: 'media_in_use', detail: expect.stringContaining(post.id) })
  expect(errors.get(absent)).toMatchObject({ code: 'not_found' })
  expect(await namesIn('tag=Spring')).toEqual(['used'])
})

test('SOC-30 bulk change without tags, of other organizations or without permission is refused', async () => {
  const { id } = await upload()
  const send = (caller: World['vera'], input: object) => caller.fetch('POST /api/media/bulk', input)
  const untagged = await send(world.ada, { ids: [id], action: 'tag' })
  expect(untagged.status).toBe(422)
  expect(await untagged.json()).toMatchObject({ errors: [{ path: 'tags', message: 'Enter at least one tag.' }] })
  expect((await send(world.ada, { ids: [], action: 'delete' })).status).toBe(422)
  expect((await send(world.mallory, { ids: [id], action: 'delete' })).status).toBe(404)
  expect((await send(world.vera, { ids: [id], action: 'delete' })).status).toBe(403)
  const tags = Array.from({ length: 30 }, (_, at) => `Tag ${at}`)
  expect(await change({ ids: [id], action: 'tag', tags })).toMatchObject({ failed: 0 })
  const [item] = (await change({ ids: [id], action: 'tag', tags: ['One more'] })).items
  expect(item?.error).toMatchObject({ code: 'too_many_tags' })
})

test('SOC-30 first page of 20,000 files comes within 50 ms, by indexes, with any filter in bounded steps', async () => {
  const brand = await createBrand('Large')
  const { id } = await upload({ alt: 'A dot' }, brand)
  const { sql } = world.database
  // IDs by time, like those of the application.
  await sql`
    INSERT INTO social.media (id, name, tags, brand_id, created_by, alt, content_type, width, height, bytes, sha256,
      animated, renditions, created_at)
    SELECT (lpad(to_hex(n), 8, '0') || substr(id::text, 9))::uuid, 'file ' || n, array['Tag ' || n % 100], brand_id,
      created_by, alt, content_type, width, height, bytes, sha256, animated, renditions, created_at
    FROM social.media AS file, generate_series(1, 20000) AS n WHERE file.id = ${id}`
  const draft = await use(await upload({ name: 'used', alt: 'A dot' }, brand))
  await sql`
    INSERT INTO social.posts (id, brand_id, author_id, provider, text, media)
    SELECT gen_random_uuid(), brand_id, author_id, provider, text, jsonb_build_array(jsonb_build_object('alt', '',
      'mediaId', lpad(to_hex(n), 8, '0') || substr(${id}, 9)))
    FROM social.posts, generate_series(1, 4000) AS n WHERE id = ${draft.id}`
  await sql`ANALYZE social.media`
  await sql`ANALYZE social.posts`
  const took = async (query: string): Promise<number> => {
    const times: number[] = []
    for (let at = 0; at < 5; at++) {
      const start = performance.now()
      await list(query, brand)
      times.push(performance.now() - start)
    }
    return Math.min(...times)
  }
  expect(await took('limit=50')).toBeLessThan(scaleTime(50))
  const plain = await readingOf(world, () => list('limit=50', brand))
  expect(plain.scanned).not.toContain('media')
  expect(plain.scanned).not.toContain('posts')
  expect(plain.rows).toBeLessThan(500)
  const everywhere = await readingOf(world, () => world.ada.fetchJson('GET /api/media?limit=50'))
  expect(everywhere.scanned).not.toContain('media')
  expect(everywhere.rows).toBeLessThan(1_000)
  const ofTag = await readingOf(world, () => list('limit=50&tag=Tag 7', brand))
  expect(ofTag.scanned).not.toContain('media')
  const unused = await readingOf(world, () => list('limit=50&used=false', brand))
  expect(unused.scanned).not.toContain('media')
  expect(await took('limit=50&used=true')).toBeLessThan(scaleTime(500))
  expect(await took('limit=50&q=file 19')).toBeLessThan(scaleTime(500))
  expect((await list('q=file 1&limit=1', brand)).items).toHaveLength(1)
})

test('SOC-30 file says which networks accept it, those with an account of the brand first', async () => {
  const media = await upload({ name: 'fits' })
  const fits = await world.ada.fetchJson<Page<MediaFit>>(`GET /api/media/${media.id}/networks`)
  const names = fits.items.map(({ provider }) => provider)
  expect(names).toContain('bluesky')
  expect(new Set(names).size).toBe(names.length)
  expect(fits.items.find(({ provider }) => provider === 'bluesky')).toMatchObject({
    fits: true,
    connected: false,
    copy: null,
    problem: null,
  })
  const [connected] = (
    await world.ada.fetchJson<Page<MediaFit>>(
      `GET /api/media/${(await upload({}, world.ada.things.brands)).id}/networks`,
    )
  ).items
  expect(connected).toMatchObject({ provider: 'sandbox', connected: true, fits: true })
})

test('SOC-30 animated GIF names the networks that don’t support it', async () => {
  const colors = ['red', 'blue'].map((color) =>
    sharp({ create: colored(color) })
      .png()
      .toBuffer(),
  )
  const frames = await sharp(await Promise.all(colors), { join: { animated: true } })
    .gif()
    .toBuffer()
  const gif = await world.ada.fetchJson<Media>('POST /api/media', { brandId, file: frames.toString('base64') }, 201)
  const fits = await world.ada.fetchJson<Page<MediaFit>>(`GET /api/media/${gif.id}/networks`)
  expect(fits.items.find(({ provider }) => provider === 'bluesky')).toMatchObject({
    fits: false,
    problem: expect.stringContaining('Bluesky doesn’t support animated GIFs'),
  })
})

const colored = (background: string) => ({ width: 40, height: 30, channels: 3 as const, background })

test('SOC-30 files are filtered by the network that accepts them, page by page', async () => {
  const brand = await createBrand('Fits')
  const { sql } = world.database
  const made: string[] = []
  for (let nth = 0; nth < 5; nth++) made.unshift((await upload({}, brand)).id)
  const [unread, gif, copied, ...plain] = made
  await sql`UPDATE social.media SET status = 'processing' WHERE id = ${unread ?? ''}`
  await sql`UPDATE social.media SET content_type = 'image/gif', renditions = renditions - 'web' WHERE id = ${gif ?? ''}`
  const web = JSON.stringify({ web: { contentType: 'image/jpeg', width: 40, height: 30, bytes: 1000 } })
  await sql`
    UPDATE social.media SET content_type = 'image/gif', renditions = renditions || ${web}::text::jsonb
    WHERE id = ${copied ?? ''}`
  const idsOf = ({ items }: Page<ListedMedia>) => items.map(({ id }) => id)
  expect(idsOf(await list('fits=bluesky', brand))).toEqual([copied ?? '', ...plain])
  const first = await list('fits=bluesky&limit=2', brand)
  const second = await list(`fits=bluesky&limit=2&cursor=${first.nextCursor}`, brand)
  expect([idsOf(first), idsOf(second), second.nextCursor]).toEqual([
    [copied ?? '', plain[0] ?? ''],
    [plain[1] ?? ''],
    null,
  ])
  expect(idsOf(await list('fits=bluesky&used=true', brand))).toEqual([])
  await sql`
    INSERT INTO social.media (id, name, brand_id, created_by, alt, content_type, width, height, bytes, sha256, animated,
      renditions, created_at)
    SELECT ('ffffffff' || lpad(to_hex(n), 8, '0') || substr(id::text, 19))::uuid, '', brand_id, created_by, alt, 'image/gif',
      width, height, bytes, sha256, animated, '{}', created_at
    FROM social.media, generate_series(1, 1200) AS n WHERE id = ${gif ?? ''}`
  const bounded = await list('fits=bluesky', brand)
  expect(bounded.items).toEqual([])
  expect(idsOf(await list(`fits=bluesky&cursor=${bounded.nextCursor}`, brand))).toEqual([copied ?? '', ...plain])
})

test('SOC-30 image is added from a URL, with its type detected from the content and its name from the path', async () => {
  const png = await sharp({ create: colored('green') })
    .png()
    .toBuffer()
  using site = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: ({ url }) => {
      if (url.includes('missing')) return new Response('Not here', { status: 404 })
      if (url.includes('redirect')) return Response.redirect('/photos/A%20latte.jpg')
      if (url.includes('page')) return new Response('<html>', { headers: { 'content-type': 'image/png' } })
      if (url.includes('large')) return new Response(new Uint8Array(21 * 1024 * 1024))
      return new Response(png, { headers: { 'content-type': 'text/html' } })
    },
  })
  const add = (path: string, more: object = {}, who: Pick<World['ada'], 'fetch'> = world.ada) =>
    who.fetch('POST /api/media', { brandId, url: new URL(path, site.url).href, ...more })
  const added = await add('photos/A%20latte.jpg', { alt: 'Green' })
  expect(added.status).toBe(201)
  expect(await added.json()).toMatchObject({ name: 'A latte.jpg', alt: 'Green', contentType: 'image/png', width: 40 })
  expect((await add('redirect')).status).toBe(201)
  for (const path of ['missing', 'large']) {
    const refused = await add(path)
    expect(refused.status, path).toBe(422)
    expect(await refused.json(), path).toMatchObject({ errors: [{ path: 'url' }] })
  }
  expect((await add('page')).status).toBe(422)
  expect((await add('photos', {}, world.vera)).status).toBe(403)
  expect((await add('photos', {}, world.mallory)).status).toBe(404)
})

test('SOC-30 storage of an organization counts its files and unfinished uploads, and refuses files beyond it before they are downloaded or written', async () => {
  const read = () => world.ada.fetchJson<MediaStorage>(`GET /api/media/storage?brandId=${brandId}`)
  const before = await read()
  expect(before.limit).toBe(50_000_000_000)
  const media = await upload()
  await world.ada.fetchJson('POST /api/uploads', { brandId, length: 1_000_000, name: 'a.mp4' }, 201)
  const after = await read()
  expect(after.files).toBe(before.files + 1)
  const copies = Object.values(media.renditions).reduce((sum, { bytes }) => sum + bytes, 0)
  expect(copies).toBeGreaterThan(0)
  expect(after.bytes).toBe(before.bytes + media.bytes + copies + 1_000_000)
  const { sql } = world.database
  const room = before.limit - after.bytes + (media.renditions.web?.bytes ?? 0)
  const web = { contentType: 'video/mp4', width: 1, height: 1, bytes: room }
  await sql`UPDATE social.media SET renditions = renditions || ${JSON.stringify({ web })}::text::jsonb WHERE id = ${media.id}`
  expect((await read()).bytes).toBe(before.limit)
  let downloads = 0
  using site = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response(String(++downloads)) })
  const stored = async () => (await Array.fromAsync(world.provided.storage.keys())).sort()
  const kept = await stored()
  const full = [
    await world.ada.fetch('POST /api/media', { brandId, file: dot }),
    await world.ada.fetch('POST /api/media', { brandId, url: site.url.href }),
    await world.ada.fetch(`POST /api/media/${media.id}/crop`, { rotate: 90 }),
    await world.ada.fetch('POST /api/uploads', { brandId, length: 1_000, name: 'b.mp4' }),
  ]
  for (const refused of full) {
    expect(refused.status).toBe(409)
    expect(await refused.json()).toMatchObject({
      code: 'upload_quota_exceeded',
      detail: 'Your organization can store 50 GB of media, and this file doesn’t fit. Delete some files first.',
    })
  }
  expect(downloads).toBe(0)
  expect(await stored()).toEqual(kept)
  await world.ada.fetchJson(`DELETE /api/media/${media.id}`, undefined, 204)
  await upload()
})

test('SOC-30 PLT-25 URL of a private address is refused without a request where private networks aren’t allowed', async () => {
  let requests = 0
  using site = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response(String(++requests)) })
  const guarded = await openWorld({ env: { ALLOW_PRIVATE_NETWORK: 'false' } })
  try {
    const sent = { brandId: guarded.ada.things.brands, url: new URL('latte.png', site.url).href }
    const refused = await guarded.ada.fetch('POST /api/media', sent)
    expect(refused.status).toBe(422)
    expect(await refused.json()).toMatchObject({ errors: [{ path: 'url' }] })
    expect(requests).toBe(0)
  } finally {
    await guarded.close()
  }
})

test('SOC-30 SOC-43 brand transfer moves no file, and the new organization stores its files', async () => {
  const moved = await createBrand('Moved')
  const media = await upload({ name: 'stays' }, moved)
  const files = () => readdirSync(join(world.provided.config.DATA_DIR, 'files/social', moved)).toSorted()
  const before = files()
  const target = world.mallory.things.organizations
  await world.database.sql`INSERT INTO identity.memberships (organization_id, user_id, role, created_at)
    VALUES (${target}, ${world.ada.id}, 'admin', now())`
  const stored = async () =>
    (await world.mallory.fetchJson<MediaStorage>(`GET /api/media/storage?brandId=${world.mallory.things.brands}`)).files
  const count = await stored()
  await world.ada.fetchJson(`POST /api/brands/${moved}/transfer-organization`, { targetOrganizationId: target })
  expect(files()).toEqual(before)
  expect(await stored()).toBe(count + 1)
  const file = await world.mallory.fetch(`GET /api/media/${media.id}/file`)
  expect([file.status, file.headers.get('etag')]).toEqual([200, `"${media.sha256}-original"`])
  expect((await world.ada.fetch(`GET /api/media/${media.id}/file`)).status).toBe(404)
})
