import { afterAll, beforeAll, expect, test } from 'bun:test'
import { calendarQuery } from '../../src/social/calendar/read-calendar.ts'
import type { Brand, Queue } from '#social/types'
import { openSocialServer, type Person, type SocialServer } from './social-server.ts'
import { createWriter, type Writer } from './writer.ts'

let desk: SocialServer
beforeAll(async () => {
  desk = await openSocialServer({ pages: true })
})
afterAll(() => desk.close())

const permissions = ['posts:read', 'posts:write', 'calendar:read', 'calendar:write', 'accounts:write', 'brands:write']
const everyDay = [1, 2, 3, 4, 5, 6, 7]

interface Slots {
  times?: string[]
  days?: number[]
  timeZone?: string
}

/** With slots at these times of each of these days, 1 being Monday. */
async function openWriter({ times = ['09:00', '17:00'], days = everyDay, timeZone = 'Europe/Berlin' }: Slots = {}) {
  const writer = await createWriter(desk, desk.person({ permissions }))
  await writer.person.fetch<Brand>(`PUT /api/brands/${writer.brand.id}`, { timeZone })
  for (const time of times)
    expect((await writer.person.fetch(`POST /api/brands/${writer.brand.id}/queue-slots`, { days, time })).status).toBe(
      200,
    )
  return writer
}

const schedule = async ({ write }: Writer, scheduledAt: string, more: object = {}) =>
  (await write({ text: `At ${scheduledAt}`, status: 'scheduled', scheduledAt, ...more })).body

const read = ({ person, brand }: Writer, query = '', reader: Person = person) =>
  reader.fetch<Queue>(`GET /api/queue?brandId=${brand.id}&${query}`)
const list = async (writer: Writer, query = '') => (await read(writer, query)).body
const draw = ({ person, brand }: Writer, query = '', reader: Person = person) =>
  reader.draw(`GET /workspace/queue?brandId=${brand.id}&${query}`)

/** Each time, with its posts: `2099-06-01T09:00 free`, `2099-06-01T12:00 +1` outside of the slots. */
const outline = ({ items }: Queue) =>
  items.map(
    ({ localTime, isSlot, isFree, posts }) => `${localTime} ${isFree ? 'free' : `${isSlot ? '' : '+'}${posts.length}`}`,
  )

test('SOC-16 queue lists slots and posts by time, the posts outside of slots in their place', async () => {
  const writer = await openWriter()
  await schedule(writer, '2099-06-01T17:00')
  await schedule(writer, '2099-06-01T12:00')
  await writer.draft()
  const queue = await list(writer, 'from=2099-06-01&days=2')
  expect(outline(queue)).toEqual([
    '2099-06-01T09:00 free',
    '2099-06-01T12:00 +1',
    '2099-06-01T17:00 1',
    '2099-06-02T09:00 free',
    '2099-06-02T17:00 free',
  ])
  expect(queue).toMatchObject({
    from: '2099-06-01',
    to: '2099-06-02',
    timeZone: 'Europe/Berlin',
    can: { create: true },
  })
  const [, outside, last] = queue.items
  expect([outside?.previousSlot, outside?.nextSlot]).toEqual(['2099-06-01T07:00:00.000Z', '2099-06-01T15:00:00.000Z'])
  expect([last?.previousSlot, last?.nextSlot]).toEqual(['2099-06-01T07:00:00.000Z', '2099-06-02T07:00:00.000Z'])
})

test('SOC-16 queue begins today with its first coming slot, also for a day that has passed', async () => {
  const writer = await openWriter({ times: ['00:00', '08:00', '16:00', '23:59'] })
  const today = Temporal.Now.plainDateISO('Europe/Berlin').toString()
  for (const query of ['', 'from=2020-01-01']) {
    const queue = await list(writer, query)
    expect(queue.from).toBe(today)
    expect(queue.items.every(({ at, isFree }) => isFree && Date.parse(at) > Date.now())).toBe(true)
    expect(queue.items[0]?.at).toBe(queue.nextFree ?? '')
    expect(queue.items[0]?.previousSlot).toBeNull()
  }
})

// Clocks change on 29 March and 25 October 2099 in Berlin, on 5 April and 6 September 2099 in Santiago.
test.each([
  ['Europe/Berlin', '2099-03-28', ['T08:00', 'T07:00', 'T07:00']],
  ['Europe/Berlin', '2099-10-24', ['T07:00', 'T08:00', 'T08:00']],
  ['America/Santiago', '2099-04-04', ['T12:00', 'T13:00', 'T13:00']],
  ['America/Santiago', '2099-09-05', ['T13:00', 'T12:00', 'T12:00']],
])('SOC-16 slots of the queue in %s keep their local time from %s on', async (timeZone, from, hours) => {
  const writer = await openWriter({ timeZone, times: ['09:00'] })
  const { items } = await list(writer, `from=${from}&days=3`)
  expect(items.map(({ localTime }) => localTime.slice(10))).toEqual(['T09:00', 'T09:00', 'T09:00'])
  expect(items.map(({ at }) => at.slice(10, 16))).toEqual(hours)
  expect(items[1]?.previousSlot).toBe(items[0]?.at ?? '')
  expect(items[1]?.nextSlot).toBe(items[2]?.at ?? '')
})

test('SOC-16 cursor leads to the next day with a post or a slot, and ends after the last', async () => {
  const writer = await openWriter({ times: [] })
  await schedule(writer, '2099-06-01T12:00')
  await schedule(writer, '2099-08-20T12:00')
  const first = await list(writer, 'from=2099-06-01')
  expect(outline(first)).toEqual(['2099-06-01T12:00 +1'])
  const second = await list(writer, `cursor=${first.nextCursor}`)
  expect([second.from, second.nextCursor]).toEqual(['2099-08-20', null])
  expect(outline(second)).toEqual(['2099-08-20T12:00 +1'])
  const slots = await openWriter()
  const next = Temporal.Now.plainDateISO('Europe/Berlin').add({ days: 7 }).toString()
  expect((await list(slots, `cursor=${(await list(slots)).nextCursor}`)).from).toBe(next)
  expect((await list(slots, 'from=2090-01-01')).nextCursor).toBeNull()
})

test('SOC-16 cursor of another list, a cursor with a first day, and too many days are refused with their field', async () => {
  const writer = await openWriter()
  const pathOf = async (query: string) => {
    const { status, body } = await read(writer, query)
    return [status, (body as unknown as { errors: { path: string }[] }).errors[0]?.path]
  }
  const { nextCursor } = await list(writer)
  expect(await pathOf('cursor=e30')).toEqual([422, 'cursor'])
  expect(await pathOf(`cursor=${nextCursor}&from=2099-01-01`)).toEqual([422, 'from'])
  expect(await pathOf('days=32')).toEqual([422, 'days'])
  expect(await pathOf('from=2099-02-30')).toEqual([422, 'from'])
})

test('SOC-16 filters of the queue hide posts, and their slots stay taken', async () => {
  const writer = await openWriter()
  const { body: other } = await writer.person.fetch<{ connection: { id: string } }>(
    'POST /api/integrations/sandbox/connect',
    { brandId: writer.brand.id, handle: 'queue-filter' },
  )
  await schedule(writer, '2099-06-01T09:00', { target: { connectionId: writer.connection.id } })
  await schedule(writer, '2099-06-01T17:00', { target: { connectionId: other.connection.id } })
  const query = 'from=2099-06-01&days=1'
  expect(outline(await list(writer, `${query}&accountId=${other.connection.id}`))).toEqual([
    '2099-06-01T09:00 0',
    '2099-06-01T17:00 1',
  ])
  expect(outline(await list(writer, `${query}&provider=x`))).toEqual(['2099-06-01T09:00 0', '2099-06-01T17:00 0'])
})

test('SOC-16 SOC-47 queue says that publishing of the brand or of an account is paused', async () => {
  const writer = await openWriter()
  const { person, brand, connection } = writer
  expect(await list(writer)).toMatchObject({ isPaused: false, pausedAccounts: [] })
  await person.fetch('POST /api/publishing/pause', { brandId: brand.id, connectionId: connection.id })
  expect(await list(writer)).toMatchObject({ isPaused: false, pausedAccounts: [connection.id] })
  expect(await draw(writer)).toContain('1 account paused')
  await person.fetch('POST /api/publishing/pause', { brandId: brand.id })
  expect(await list(writer)).toMatchObject({ isPaused: true })
  expect(await draw(writer)).toContain('Publishing is paused')
})

test('SOC-16 posts of earlier days that still wait are counted', async () => {
  const writer = await openWriter()
  const { id } = await schedule(writer, '2099-06-01T09:00')
  expect((await list(writer)).overdue).toBe(0)
  await desk.database.sql`UPDATE social.posts SET scheduled_at = now() - interval '2 days' WHERE id = ${id}`
  expect((await list(writer)).overdue).toBe(1)
  expect(await draw(writer)).toContain('1 post of earlier days still wait')
})

test('SOC-40 queue of another organization is not found, and needs calendar:read', async () => {
  const writer = await openWriter()
  const stranger = desk.person({ permissions })
  expect((await read(writer, '', stranger)).status).toBe(404)
  const { organization } = writer.person
  expect((await read(writer, '', desk.person({ organization, permissions: ['posts:read'] }))).status).toBe(403)
  const limits = [{ brandId: writer.brand.id, permissions }]
  const limited = desk.person({ organization, permissions, limits })
  expect((await read(writer, '', limited)).status).toBe(200)
  const other = await createWriter(desk, desk.person({ organization, permissions }))
  expect((await read(other, '', limited)).status).toBe(404)
})

test('SOC-16 queue of a brand with 20,000 scheduled posts is found by an index', async () => {
  const writer = await openWriter()
  const { id } = await schedule(writer, '2099-06-02T10:00')
  const { sql } = desk.database
  await sql`
    INSERT INTO social.posts (id, brand_id, provider, author_id, text, status, scheduled_at, due_at)
    SELECT gen_random_uuid(), brand_id, provider, author_id, text, status, scheduled_at + n * interval '1 hour', due_at
    FROM social.posts, generate_series(1, 20000) n WHERE id = ${id}`
  await sql`ANALYZE social.posts`
  const queue = await list(writer, 'from=2099-06-02')
  expect(queue.items.flatMap(({ posts }) => posts).length).toBe(7 * 24 - 10)
  const query = calendarQuery(desk.database.db, ['brandId', 'status', 'from', 'to']).toSQL().sql
  const values = [writer.brand.id, 'scheduled', '2099-06-02T00:00Z', '2099-06-09T00:00Z']
  const plan = JSON.stringify(
    await sql.unsafe(`EXPLAIN ${query.replaceAll(/\$(\d+)/g, (_, nth) => `'${values[Number(nth) - 1] ?? '2001'}'`)}`),
  )
  expect(plan).toContain('Index Scan using posts_newest')
  expect(plan).not.toContain('Seq Scan on posts')
})

test('SOC-16 page of the queue draws days of the brand, with slots that lead to a new post at their time', async () => {
  const writer = await openWriter()
  await schedule(writer, '2099-06-01T17:00')
  const html = await draw(writer, 'date=2099-06-01')
  expect(html).toContain('<h1>Queue: 1 – 7 June 2099</h1>')
  expect(html).toContain(`/workspace/posts/new?brandId=${writer.brand.id}&amp;at=2099-06-01T09%3A00&amp;view=queue`)
  expect(html).not.toContain('at=2099-06-01T17%3A00')
  expect(html).toContain('At 2099-06-01T17:00')
  expect(html).toContain('Next free slot: ')
  expect(html).toContain('Weekly slots')
  expect(html).toContain(`/workspace/queue?brandId=${writer.brand.id}&amp;date=2099-05-25`)
  expect(html).not.toContain('Next days')
  const first = await draw(writer)
  const next = Temporal.Now.plainDateISO('Europe/Berlin').add({ days: 7 }).toString()
  expect(first).toContain(`/workspace/queue?brandId=${writer.brand.id}&amp;date=${next}`)
  expect(first).not.toContain('Previous days')
})

test('SOC-16 reader who can’t create posts sees free slots without links', async () => {
  const writer = await openWriter()
  const { organization } = writer.person
  const reader = desk.person({ organization, permissions: ['posts:read', 'calendar:read'] })
  const html = await draw(writer, 'date=2099-06-01', reader)
  expect(html).toContain('Free slot')
  expect(html).not.toContain('/workspace/posts/new')
})

test('SOC-16 day with many posts shows 40 of them, and the number of the others leads to its agenda', async () => {
  const writer = await openWriter()
  const { id } = await schedule(writer, '2099-06-02T09:00')
  await desk.database.sql`
    INSERT INTO social.posts (id, brand_id, provider, author_id, text, status, scheduled_at, due_at)
    SELECT gen_random_uuid(), brand_id, provider, author_id, text, status, scheduled_at + n * interval '1 minute', due_at
    FROM social.posts, generate_series(1, 44) n WHERE id = ${id}`
  const html = await draw(writer, 'date=2099-06-01')
  expect(html.match(/id="event-/g)?.length).toBe(40)
  expect(html).toContain('date=2099-06-02&amp;view=agenda">5 more')
  expect(html).toContain('at=2099-06-02T17%3A00')
})

test('SOC-16 page of a queue without slots leads to those who can add them to the settings of the brand', async () => {
  const writer = await openWriter({ times: [] })
  const settings = `/workspace/brands/${writer.brand.id}#queue-slots`
  expect(await draw(writer)).toContain(settings)
  const { organization } = writer.person
  const reader = desk.person({ organization, permissions: ['posts:read', 'calendar:read'] })
  const html = await draw(writer, '', reader)
  expect(html).toContain('No queue slots yet')
  expect(html).not.toContain(settings)
  expect(html).not.toContain('/workspace/posts/new')
})

test('SOC-16 post that is written for a slot of the queue leads back to its day', async () => {
  const { person, brand } = await openWriter()
  const body = { brandId: brand.id, provider: 'sandbox', text: 'Planned', status: 'scheduled' }
  const from = `http://localhost/workspace/posts/new?brandId=${brand.id}&at=2099-06-02T09:00&view=queue`
  const response = await person.send(
    'POST /api/posts',
    { ...body, scheduledAt: '2099-06-02T09:00', timeZone: 'Europe/Berlin' },
    { 'hx-request': 'true', 'hx-current-url': from },
  )
  expect(response.headers.get('hx-redirect')).toBe(
    `/workspace/queue?brandId=${brand.id}&date=2099-06-02#day-2099-06-02`,
  )
})
