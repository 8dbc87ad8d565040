import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import ICAL from 'ical.js'
import { digest } from '#lib/ids.ts'
import { icalFile, icalText } from '#lib/ical.ts'
import type { CalendarFeedList, NewCalendarFeed } from '#social/types'
import { openSocialServer, type Person, type SocialServer } from './social-server.ts'
import { createWriter, markFailed, type Writer } from './writer.ts'

let desk: SocialServer
beforeAll(async () => {
  desk = await openSocialServer({ pages: true })
})
afterAll(() => desk.close())

const permissions = ['posts:read', 'posts:write', 'calendar:read', 'accounts:write', 'brands:write']
const openWriter = () => createWriter(desk, desk.person({ permissions }))

const subscribe = async ({ brand, person }: Writer, by: Person = person) => {
  const { body, status } = await by.fetch<NewCalendarFeed>('POST /api/calendar/feeds', { brandId: brand.id })
  expect(status).toBe(201)
  return { ...body, path: new URL(body.url ?? '').pathname }
}

/** Anyone: without a credential. */
const download = (path: string, headers: Record<string, string> = {}) =>
  stranger().send(`GET ${path}`, undefined, { authorization: '', ...headers })

const stranger = () => desk.person()

const inDays = (days: number) => new Date(Date.now() + days * 24 * 60 * 60_000).toISOString()

const read = async (path: string) => {
  const text = await (await download(path)).text()
  return new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent').map((event) => new ICAL.Event(event))
}

test('SOC-34 feed of a brand with many past posts still has the planned ones, and none that was withdrawn', async () => {
  const writer = await openWriter()
  const { path } = await subscribe(writer)
  const planned = await writer.scheduled('Planned')
  const { brand, person } = writer
  await desk.database.db.execute(sql`
    INSERT INTO social.posts (id, brand_id, author_id, provider, status, text, scheduled_at, platform_post_id, published_at, withdrawn_at)
    SELECT gen_random_uuid(), ${brand.id}, ${person.id}, 'sandbox', 'published', 'Past ' || n, now() - n * interval '1 minute',
      n::text, now(), CASE WHEN n = 1 THEN now() END
    FROM generate_series(1, 1200) n`)
  const events = await read(path)
  expect(events.length).toBe(1_000)
  expect(events.map(({ uid }) => uid)).toContain(`post-${planned.id}@atrium`)
  expect(events.some(({ summary }) => summary === 'Sandbox: Past 1')).toBe(false)
  expect(events.some(({ summary }) => summary === 'Sandbox: Past 2')).toBe(true)
})

const hard = 'Müsli; Brot, "Käse" \\ und\nLinie zwei: 漢字🥐🥖 '.repeat(6)

test('SOC-34 feed has the posts with their times in UTC, as another parser reads them', async () => {
  const writer = await openWriter()
  const post = (await writer.write({ text: hard, status: 'scheduled', scheduledAt: inDays(3) })).body
  const failed = (await writer.write({ text: 'No luck', status: 'scheduled', scheduledAt: inDays(1) })).body
  await markFailed(desk, failed.id)
  await writer.write({ text: 'Too far', status: 'scheduled', scheduledAt: inDays(400) })
  await writer.draft()
  const { path } = await subscribe(writer)
  const events = await read(path)
  expect(events.map(({ uid }) => uid)).toEqual([`post-${failed.id}@atrium`, `post-${post.id}@atrium`])
  const [first, second] = events
  expect(first?.summary).toBe('Failed: Sandbox: No luck')
  expect(second?.startDate.toJSDate().toISOString().slice(0, 19)).toBe(post.scheduledAt?.slice(0, 19) ?? '')
  expect(second?.description).toBe(`Scheduled on Sandbox\n\n${hard}`)
  expect(second?.component.getFirstPropertyValue('url')).toEndWith(
    `/workspace/posts/${post.id}?brandId=${writer.brand.id}`,
  )
  expect(second?.duration.toSeconds()).toBe(900)
})

test('SOC-34 UID of a moved post stays, and its sequence rises', async () => {
  const writer = await openWriter()
  const post = (await writer.write({ text: 'Moved', status: 'scheduled', scheduledAt: inDays(3) })).body
  const { path } = await subscribe(writer)
  const [before] = await read(path)
  await writer.change(post.id, { scheduledAt: inDays(5) })
  const [after] = await read(path)
  expect(after?.uid).toBe(before?.uid ?? '')
  expect([before?.sequence, after?.sequence]).toEqual([0, 1])
})

test('SOC-34 lines of a feed end with CR LF and have at most 75 bytes', async () => {
  const writer = await openWriter()
  await writer.write({ text: hard, status: 'scheduled', scheduledAt: inDays(3) })
  const { path } = await subscribe(writer)
  const text = await (await download(path)).text()
  expect(text).toEndWith('END:VCALENDAR\r\n')
  const lines = text.split('\r\n')
  expect(Math.max(...lines.map((line) => Buffer.byteLength(line)))).toBe(75)
  expect(lines.filter((line) => /[\r\n]/.test(line))).toEqual([])
})

test('SOC-34 text of a feed can’t add lines or properties', () => {
  const file = icalFile([`SUMMARY:${icalText('a\rEND:VEVENT\r\nX:1\u0085\u0000;b')}`])
  expect(file).toBe('SUMMARY:a\\nEND:VEVENT\\nX:1\\;b\r\n')
})

test('SOC-34 feed is private, has an ETag and isn’t indexed, and its address isn’t stored', async () => {
  const writer = await openWriter()
  const { path } = await subscribe(writer)
  const response = await download(path)
  expect(response.headers.get('content-type')).toBe('text/calendar; charset=utf-8')
  expect(response.headers.get('cache-control')).toBe('private, max-age=300')
  expect(response.headers.get('referrer-policy')).toBe('no-referrer')
  expect(response.headers.get('x-robots-tag')).toContain('noindex')
  const etag = response.headers.get('etag') ?? ''
  expect((await download(path, { 'if-none-match': etag })).status).toBe(304)
  await writer.write({ text: 'New', status: 'scheduled', scheduledAt: inDays(3) })
  expect((await download(path, { 'if-none-match': etag })).status).toBe(200)
  const token = path.slice('/calendar/'.length, -'.ics'.length)
  const stored = JSON.stringify(await desk.database.sql`SELECT * FROM social.calendar_feeds`)
  expect(stored).toContain(digest(token))
  expect(stored).not.toContain(token)
})

test('SOC-34 feed is listed without its address, with its last use, and only for its person', async () => {
  const writer = await openWriter()
  const { id, path } = await subscribe(writer)
  const friend = desk.person({ organization: writer.person.organization, permissions })
  const list = async (person: Person) =>
    (await person.fetch<CalendarFeedList>(`GET /api/calendar/feeds?brandId=${writer.brand.id}`)).body.items
  expect(await list(writer.person)).toMatchObject([{ id, lastUsedAt: null }])
  await download(path)
  const [used] = await list(writer.person)
  expect(used?.lastUsedAt).not.toBeNull()
  expect(JSON.stringify(used)).not.toContain('url')
  expect(await list(friend)).toEqual([])
  expect((await friend.fetch(`DELETE /api/calendar/feeds/${id}`)).status).toBe(404)
})

test('SOC-34 replaced and revoked addresses stop working at once, and unknown ones look the same', async () => {
  const writer = await openWriter()
  const first = await subscribe(writer)
  const second = await subscribe(writer)
  expect([first.id === second.id, first.path === second.path]).toEqual([true, false])
  expect((await download(first.path)).status).toBe(404)
  expect((await download(second.path)).status).toBe(200)
  expect((await writer.person.fetch(`DELETE /api/calendar/feeds/${second.id}`)).status).toBe(204)
  for (const path of [
    second.path,
    `/calendar/${'a'.repeat(43)}.ics`,
    '/calendar/x.ics',
    second.path.replace('.ics', ''),
  ])
    expect((await download(path)).status).toBe(404)
})

test('SOC-34 feed ends when its person leaves the organization, also for one who returns', async () => {
  const writer = await openWriter()
  const friend = desk.person({ organization: writer.person.organization, permissions })
  const { id, path } = await subscribe(writer, friend)
  expect((await download(path)).status).toBe(200)
  desk.remove(friend)
  expect((await download(path)).status).toBe(404)
  const rows = await desk.database.sql`SELECT id FROM social.calendar_feeds WHERE person_id = ${friend.id}`
  expect(rows.length).toBe(0)
  const [logged] = await desk.database.sql`
    SELECT organization_id, operation, service, before FROM platform.audit_log WHERE object_id = ${id} AND before IS NOT NULL`
  expect(logged).toMatchObject({
    organization_id: writer.person.organization?.id ?? '',
    operation: 'readCalendarFeed',
    service: 'platform-socialize',
    before: { personId: friend.id },
  })
})

test('SOC-34 unchanged feed is known by its ETag without reading the texts of its posts', async () => {
  const writer = await openWriter()
  const { path } = await subscribe(writer)
  const { body } = await writer.write({ text: 'First', status: 'scheduled', scheduledAt: inDays(3) })
  const { id } = body
  const etagOf = async () => (await download(path)).headers.get('etag') ?? ''
  const first = await etagOf()
  expect(await etagOf()).toBe(first)
  await desk.database.sql`UPDATE social.posts SET text = 'Not read' WHERE id = ${id}`
  const unchanged = await download(path, { 'if-none-match': `W/"other", ${first}` })
  expect([unchanged.status, unchanged.headers.get('etag')]).toEqual([304, first])
  await writer.person.fetch(`PUT /api/posts/${id}`, { text: 'Second' })
  const changed = await download(path, { 'if-none-match': first })
  expect(changed.status).toBe(200)
  expect(changed.headers.get('etag')).not.toBe(first)
  expect(await changed.text()).toContain('Second')
  await writer.person.fetch(`PUT /api/brands/${writer.brand.id}`, { name: 'Renamed' })
  expect((await download(path, { 'if-none-match': await etagOf() })).status).toBe(304)
  expect(await (await download(path)).text()).toContain('Renamed')
})

test('SOC-34 feed needs calendar:read when it is made, and the brand of the organization', async () => {
  const writer = await openWriter()
  const { organization } = writer.person
  const body = { brandId: writer.brand.id }
  const reader = desk.person({ organization, permissions: ['posts:read'] })
  expect((await reader.fetch('POST /api/calendar/feeds', body)).status).toBe(403)
  const foreign = desk.person({ permissions })
  expect((await foreign.fetch('POST /api/calendar/feeds', body)).status).toBe(404)
  expect((await foreign.fetch(`GET /api/calendar/feeds?brandId=${writer.brand.id}`)).status).toBe(404)
})
