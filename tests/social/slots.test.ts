import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import type { Brand, BulkResult, Post, SlotList } from '#social/types'
import { slotTimes } from '../../src/social/slots/times.ts'
import { openSocialServer, type ProblemBody, type SocialServer } from './social-server.ts'
import { createWriter, type Writer } from './writer.ts'

let desk: SocialServer
beforeAll(async () => {
  desk = await openSocialServer()
})
afterAll(() => desk.close())

const everyDay = [1, 2, 3, 4, 5, 6, 7]
const daily = (...times: string[]) => everyDay.flatMap((day) => times.map((time) => ({ day, time })))

/** A writer with a brand that has these slots. */
async function writerWith(queueSlots: Brand['queueSlots'], timeZone = 'Europe/Berlin'): Promise<Writer> {
  const writer = await createWriter(desk)
  await writer.person.fetch(`PUT /api/brands/${writer.brand.id}`, { queueSlots, timeZone })
  return writer
}

const zonedTimes = (timeZone: string, time: string, from: string, count: number) =>
  [...slotTimes(daily(time), timeZone, new Date(from)).take(count)].map((at) =>
    at.toLocaleString('sv', { timeZone, dateStyle: 'short', timeStyle: 'short' }),
  )

test.each([
  ['Europe/Berlin', '2026-03-28T00:00:00Z', ['2026-03-28', '2026-03-29', '2026-03-30']],
  ['Europe/Berlin', '2026-10-24T00:00:00Z', ['2026-10-24', '2026-10-25', '2026-10-26']],
  ['America/Santiago', '2026-04-04T06:00:00Z', ['2026-04-04', '2026-04-05', '2026-04-06']],
  ['America/Santiago', '2026-09-05T06:00:00Z', ['2026-09-05', '2026-09-06', '2026-09-07']],
])('SOC-16 slot at 09:00 in %s stays at 09:00 when clocks change after %s', (timeZone, from, days) => {
  expect(zonedTimes(timeZone, '09:00', from, 3)).toEqual(days.map((day) => `${day} 09:00`))
})

test('SOC-16 slot that a clock change skips is an hour later, and one that occurs twice is used once', () => {
  expect(zonedTimes('Europe/Berlin', '02:30', '2026-03-28T12:00:00Z', 2)).toEqual([
    '2026-03-29 03:30',
    '2026-03-30 02:30',
  ])
  const twice = [...slotTimes(daily('02:30'), 'Europe/Berlin', new Date('2026-10-24T12:00:00Z')).take(2)]
  expect(twice.map((at) => at.toISOString())).toEqual(['2026-10-25T00:30:00.000Z', '2026-10-26T01:30:00.000Z'])
})

test('SOC-16 slots that a clock change makes equal are one, and later ones stay in order', () => {
  const slots = daily('02:30', '03:00', '03:30')
  const times = [...slotTimes(slots, 'Europe/Berlin', new Date('2026-03-28T23:30:00Z')).take(3)]
  expect(times.map((at) => at.toISOString().slice(0, 16))).toEqual([
    '2026-03-29T01:00',
    '2026-03-29T01:30',
    '2026-03-30T00:30',
  ])
})

test('SOC-16 slots are of their weekdays only, in the order of their times, and after now', () => {
  const slots = [
    { day: 1, time: '18:30' },
    { day: 1, time: '08:30' },
    { day: 5, time: '12:00' },
  ]
  const times = [...slotTimes(slots, 'UTC', new Date('2026-11-23T08:30:00Z')).take(4)]
  expect(times.map((at) => at.toISOString().slice(0, 16))).toEqual([
    '2026-11-23T18:30',
    '2026-11-27T12:00',
    '2026-11-30T08:30',
    '2026-11-30T18:30',
  ])
  expect([...slotTimes([], 'UTC', new Date())]).toEqual([])
})

const slotsOf = async ({ person, brand }: Writer, limit = 5) =>
  (await person.fetch<SlotList>(`GET /api/brands/${brand.id}/queue-slots?limit=${limit}`)).body.items

test('SOC-16 post for the next slot takes the first free one, and several targets share it', async () => {
  const ada = await writerWith(daily('06:00', '18:00'))
  const [first, second, third] = await slotsOf(ada)
  const { body: one } = await ada.write({ status: 'scheduled', scheduledAt: 'next-slot' })
  expect(one.scheduledAt).toBe(first?.at ?? '')
  // Written for the time of the second slot, without the queue.
  await ada.write({ status: 'scheduled', scheduledAt: second?.at })
  const { body: other } = await ada.write({ status: 'scheduled', scheduledAt: 'next-slot' })
  expect(other.scheduledAt).toBe(third?.at ?? '')
  expect((await slotsOf(ada)).map(({ posts }) => posts)).toEqual([1, 1, 1, 0, 0])
  await ada.person.fetch(`POST /api/posts/${one.id}/unschedule`)
  const { body: again } = await ada.change(other.id, { scheduledAt: 'next-slot' })
  expect(again.scheduledAt).toBe(first?.at ?? '')
})

test('SOC-16 posts that are written simultaneously for the next slot never share one', async () => {
  const writer = await writerWith(daily('07:00', '12:00', '19:00'))
  const made = await Promise.all(
    Array.from({ length: 12 }, () => writer.write({ status: 'scheduled', scheduledAt: 'next-slot' })),
  )
  const times = made.map(({ body }) => body.scheduledAt)
  expect(new Set(times)).toEqual(new Set((await slotsOf(writer, 12)).map(({ at }) => at)))
  expect(new Set(times).size).toBe(12)
})

test('SOC-16 drafts that are moved to the queue together get slots one after the other', async () => {
  const writer = await writerWith(daily('10:00'))
  const drafts = await Promise.all([writer.draft(), writer.draft(), writer.draft()])
  const body = { action: 'reschedule', ids: drafts.map(({ id }) => id), scheduledAt: 'next-slot' }
  expect((await writer.person.fetch<BulkResult>('POST /api/posts/bulk', body)).body.failed).toBe(0)
  expect((await slotsOf(writer, 4)).map(({ posts }) => posts)).toEqual([1, 1, 1, 0])
})

test('SOC-16 brand without slots refuses a post for the next slot, and says where slots are added', async () => {
  const writer = await createWriter(desk)
  const { status, body } = await writer.write<ProblemBody>({ status: 'scheduled', scheduledAt: 'next-slot' })
  expect([status, body.code]).toEqual([409, 'no_queue_slots'])
  expect(body.detail).toContain('settings of the brand')
  const { items } = (await writer.person.fetch<{ items: Post[] }>(`GET /api/posts?brandId=${writer.brand.id}`)).body
  expect(items).toEqual([])
})

test('SOC-16 slots are added on several days, once each, and removed; scheduled posts keep their time', async () => {
  const writer = await createWriter(desk)
  const path = `/api/brands/${writer.brand.id}/queue-slots`
  const change = async (method: string, body: object) =>
    (await writer.person.fetch<Brand>(`${method} ${path}`, body)).body
  await change('POST', { days: [5, 1], time: '08:30' })
  const added = await change('POST', { days: [1], time: '08:30' })
  expect(added.queueSlots).toEqual([
    { day: 1, time: '08:30' },
    { day: 5, time: '08:30' },
  ])
  const { body: post } = await writer.write({ status: 'scheduled', scheduledAt: 'next-slot' })
  expect((await change('DELETE', { days: [1, 5], time: '08:30' })).queueSlots).toEqual([])
  expect((await writer.person.fetch<Post>(`GET /api/posts/${post.id}`)).body.scheduledAt).toBe(post.scheduledAt)
})

test.each([
  ['no day', { days: [], time: '08:30' }, 'days'],
  ['a day beyond Sunday', { days: [8], time: '08:30' }, 'days.0'],
  ['a time beyond the day', { days: [1], time: '24:00' }, 'time'],
])('SOC-16 slot with %s returns 422', async (_, body, path) => {
  const writer = await createWriter(desk)
  const reported = await writer.person.fetch<ProblemBody>(`POST /api/brands/${writer.brand.id}/queue-slots`, body)
  expect([reported.status, reported.body.errors[0]?.path]).toEqual([422, path])
})

test('SOC-16 brand has at most 70 slots, however they are added', async () => {
  const writer = await writerWith(daily(...Array.from({ length: 10 }, (_, at) => `1${at}:00`)))
  const path = `/api/brands/${writer.brand.id}/queue-slots`
  const more = await writer.person.fetch<ProblemBody>(`POST ${path}`, { days: [3], time: '08:30' })
  expect([more.status, more.body.errors[0]?.message]).toEqual([
    422,
    'A brand can have at most 70 slots a week. Remove some.',
  ])
  const slots = [...daily(...Array.from({ length: 10 }, (_, at) => `1${at}:00`)), { day: 1, time: '08:30' }]
  const put = await writer.person.fetch<ProblemBody>(`PUT /api/brands/${writer.brand.id}`, { queueSlots: slots })
  expect([put.status, put.body.errors[0]?.path]).toEqual([422, 'queueSlots'])
})

test('SOC-16 next slot after 20,000 scheduled posts in 250 days is found by an index', async () => {
  const writer = await writerWith(daily('09:00'), 'UTC')
  const [first] = await slotsOf(writer, 1)
  const { db } = desk.database
  await db.execute(sql`
    INSERT INTO social.posts (id, brand_id, author_id, provider, status, text, scheduled_at, due_at)
    SELECT gen_random_uuid(), ${writer.brand.id}, ${writer.person.id}, 'sandbox', 'scheduled', 'Later', at, at
    FROM generate_series(0, 249) day, generate_series(0, 79) minute,
      LATERAL (SELECT ${first?.at ?? ''}::timestamptz + day * interval '24 hours' + minute * interval '1 minute' AS at) times`)
  await db.execute(sql`ANALYZE social.posts`)
  const { body } = await writer.write({ status: 'scheduled', scheduledAt: 'next-slot' })
  const [at, firstAt] = [body.scheduledAt, first?.at].map((each) => new Date(each ?? 0).getTime())
  expect(((at ?? 0) - (firstAt ?? 0)) / 86_400_000).toBe(250)
  const plan = await db.execute(sql`EXPLAIN SELECT sort_at, count(*) FROM social.posts
    WHERE brand_id = ${writer.brand.id} AND status = 'scheduled' AND sort_at IN (now(), now() + interval '1 day') GROUP BY sort_at`)
  expect(JSON.stringify(plan)).toMatch(/Index Scan using posts_newest\w* on posts/)
})
