import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Brand, Calendar } from '#social/types'
import { openSocialServer, type SocialServer } from './social-server.ts'
import { createWriter, type Writer } from './writer.ts'

let desk: SocialServer
beforeAll(async () => {
  desk = await openSocialServer({ pages: true })
})
afterAll(() => desk.close())

const permissions = ['posts:read', 'posts:write', 'calendar:read', 'calendar:write', 'accounts:write', 'brands:write']

/** With a slot at this time on each of these days, 1 being Monday. */
async function openWriter({
  time = '09:00',
  days = [1, 2, 3, 4, 5, 6, 7],
  timeZone = 'Europe/Berlin',
} = {}): Promise<Writer> {
  const writer = await createWriter(desk, desk.person({ permissions }))
  const { id } = writer.brand
  await writer.person.fetch<Brand>(`PUT /api/brands/${id}`, { timeZone })
  const added = await writer.person.fetch(`POST /api/brands/${id}/queue-slots`, { days, time })
  expect(added.status).toBe(200)
  return writer
}

const read = ({ person, brand }: Writer, from: string, to: string) =>
  person.fetch<Calendar>(`GET /api/calendar?brandId=${brand.id}&from=${from}&to=${to}`)
const draw = ({ person, brand }: Writer, query: string, reader = person) =>
  reader.draw(`GET /workspace/calendar?brandId=${brand.id}&${query}`)
const slotsIn = (html: string) =>
  [...html.matchAll(/<a class="event" data-slot[^>]*href="[^"]*at=([^"&]+)/g)].map(([, at = '']) =>
    decodeURIComponent(at),
  )

// Clocks change on 29 March and 25 October 2099 in Berlin, on 5 April and 6 September 2099 in Santiago.
test.each([
  ['Europe/Berlin', '2099-03-28', '2099-03-30', ['T08:00', 'T07:00', 'T07:00']],
  ['Europe/Berlin', '2099-10-24', '2099-10-26', ['T07:00', 'T08:00', 'T08:00']],
  ['America/Santiago', '2099-04-04', '2099-04-06', ['T12:00', 'T13:00', 'T13:00']],
  ['America/Santiago', '2099-09-05', '2099-09-07', ['T13:00', 'T12:00', 'T12:00']],
])('SOC-16 SOC-34 free slot at 09:00 in %s stays at 09:00 from %s to %s', async (timeZone, from, to, hours) => {
  const { freeSlots } = (await read(await openWriter({ timeZone }), from, to)).body
  expect(freeSlots.map(({ localTime }) => localTime.slice(10))).toEqual(['T09:00', 'T09:00', 'T09:00'])
  expect(freeSlots.map(({ at }) => at.slice(10, 16))).toEqual(hours)
})

test('SOC-34 calendar lists the slots of its days that have no post, from now on', async () => {
  const writer = await openWriter()
  await writer.write({ text: 'Takes it', status: 'scheduled', scheduledAt: '2099-06-02T09:00' })
  const { freeSlots } = (await read(writer, '2099-06-01', '2099-06-03')).body
  expect(freeSlots.map(({ localTime }) => localTime)).toEqual(['2099-06-01T09:00', '2099-06-03T09:00'])
  expect((await read(writer, '2020-06-01', '2020-06-03')).body.freeSlots).toEqual([])
  const today = Temporal.Now.plainDateISO('Europe/Berlin')
  const around = (await read(writer, today.subtract({ days: 3 }).toString(), today.add({ days: 3 }).toString())).body
  expect(around.freeSlots.every(({ at }) => Date.parse(at) > Date.now())).toBe(true)
  expect(around.freeSlots.length).toBeGreaterThanOrEqual(3)
})

test.each(['month', 'week', 'agenda'])(
  'SOC-34 free slots are shown in the %s, and lead to a new post at their time',
  async (view) => {
    const writer = await openWriter({ days: [2] })
    const html = await draw(writer, `view=${view}&date=2099-06-02`)
    expect(slotsIn(html)).toContain('2099-06-02T09:00')
    await writer.write({ text: 'Takes it', status: 'scheduled', scheduledAt: '2099-06-02T09:00' })
    expect(slotsIn(await draw(writer, `view=${view}&date=2099-06-02`))).not.toContain('2099-06-02T09:00')
  },
)

test('SOC-34 free slots are hidden with filters, from readers who can’t create posts, and behind three posts of a day', async () => {
  const writer = await openWriter()
  const { organization } = writer.person
  expect(slotsIn(await draw(writer, 'date=2099-06-02&status=published'))).toEqual([])
  const reader = desk.person({ organization, permissions: ['posts:read', 'calendar:read'] })
  expect(slotsIn(await draw(writer, 'date=2099-06-02', reader))).toEqual([])
  for (const hour of [10, 11, 12])
    await writer.write({ text: `At ${hour}`, status: 'scheduled', scheduledAt: `2099-06-02T${hour}:00` })
  expect(slotsIn(await draw(writer, 'date=2099-06-01'))).not.toContain('2099-06-02T09:00')
  expect(slotsIn(await draw(writer, 'view=agenda&date=2099-06-01'))).toContain('2099-06-02T09:00')
})

test('SOC-34 free slot that a post would cover isn’t shown in the week, and hours reach those outside of the day', async () => {
  const writer = await openWriter({ time: '06:30' })
  await writer.write({ text: 'Near it', status: 'scheduled', scheduledAt: '2099-06-02T07:00' })
  const html = await draw(writer, 'view=week&date=2099-06-02')
  expect(html).toContain('--from: 6;')
  expect(slotsIn(html)).not.toContain('2099-06-02T06:30')
  expect(slotsIn(html)).toContain('2099-06-03T06:30')
})

test('SOC-34 calendar of a month with 70 slots a week and 20,000 scheduled posts finds the free ones by an index', async () => {
  const writer = await openWriter()
  for (const hour of [10, 11, 12, 13, 14, 15, 16, 17, 18])
    await writer.person.fetch(`POST /api/brands/${writer.brand.id}/queue-slots`, {
      days: [1, 2, 3, 4, 5, 6, 7],
      time: `${hour}:00`,
    })
  const { id } = (await writer.write({ text: 'Many', status: 'scheduled', scheduledAt: '2099-06-02T10:00' })).body
  const { sql } = desk.database
  await sql`
    INSERT INTO social.posts (id, brand_id, provider, author_id, text, status, scheduled_at, due_at)
    SELECT gen_random_uuid(), brand_id, provider, author_id, text, status, scheduled_at + n * interval '1 hour', due_at
    FROM social.posts, generate_series(1, 20000) n WHERE id = ${id}`
  await sql`ANALYZE social.posts`
  const times: number[] = []
  for (let round = 0; round < 5; round++) {
    const begin = performance.now()
    expect((await read(writer, '2099-06-01', '2099-06-03')).body.freeSlots.length).toBe(11)
    times.push(performance.now() - begin)
  }
  expect(Math.min(...times)).toBeLessThan(50)
})

test('SOC-34 post that is scheduled from the calendar leads back to its day, in the same view, and others to their page', async () => {
  const { person, brand } = await openWriter()
  const after = async (query: string, values: object) => {
    const body = { brandId: brand.id, provider: 'sandbox', text: 'Planned', ...values }
    const from = `http://localhost/workspace/posts/new?brandId=${brand.id}&${query}`
    const response = await person.send('POST /api/posts', body, { 'hx-request': 'true', 'hx-current-url': from })
    return response.headers.get('hx-redirect') ?? ''
  }
  const scheduled = { status: 'scheduled', scheduledAt: '2099-06-02T23:30', timeZone: 'Europe/Berlin' }
  const day = `/workspace/calendar?brandId=${brand.id}&date=2099-06-02`
  expect(await after('at=2099-06-02', scheduled)).toBe(`${day}#day-2099-06-02`)
  expect(await after('at=2099-06-02&view=week', scheduled)).toBe(`${day}&view=week#day-2099-06-02`)
  for (const [query, values] of [
    ['', scheduled],
    ['at=2099-06-02', {}],
  ] as const)
    expect(await after(query, values)).toMatch(/^\/workspace\/posts\/[\w-]{36}$/)
})
