import { afterAll, beforeAll, expect, test } from 'bun:test'
import Holidays from 'date-holidays'
import { holidayCountries } from '../../src/social/contract.ts'
import { calendarQuery } from '../../src/social/calendar/read-calendar.ts'
import { localTimes } from '../../src/social/calendar/days.ts'
import type { Calendar } from '#social/types'
import { layOut, type CalendarEvent } from '#views/social/calendar/calendar-events.ts'
import { rangeOf } from '#views/social/calendar/calendar-days.ts'
import { openSocialServer, type SocialServer } from './social-server.ts'
import { createWriter, markFailed, markPublished, type Writer } from './writer.ts'

let desk: SocialServer
beforeAll(async () => {
  desk = await openSocialServer({ pages: true })
})
afterAll(() => desk.close())

const permissions = ['posts:read', 'posts:write', 'calendar:read', 'calendar:write', 'accounts:write', 'brands:write']
const openWriter = () => createWriter(desk, desk.person({ permissions }))

const write = async (writer: Writer, scheduledAt: string, text: string) =>
  (await writer.write({ text, status: 'scheduled', scheduledAt })).body

const draw = (writer: Writer, query: string, { person } = writer) =>
  person.draw(`GET /workspace/calendar?brandId=${writer.brand.id}&${query}`)

const daysOf = (html: string) => [...html.matchAll(/data-date="([\d-]+)"/g)].map(([, day]) => day)

/** What is in a day of the page. */
const dayIn = (html: string, day: string): string =>
  html.split(/(?=<div[^>]* id="day-)/).find((part) => part.includes(`id="day-${day}"`)) ?? ''

test('SOC-34 month has whole weeks from Monday on, links to those before and after, and marks days outside', async () => {
  const writer = await openWriter()
  await write(writer, '2099-04-30T09:00', 'On the last day')
  const html = await draw(writer, 'date=2099-04-15')
  expect(html).toContain('<h1>April 2099</h1>')
  const days = daysOf(html)
  expect([days[0], days.at(-1), days.length]).toEqual(['2099-03-30', '2099-05-03', 35])
  expect(html).toContain('date=2099-03-01')
  expect(html).toContain('date=2099-05-01')
  expect(dayIn(html, '2099-03-31')).toContain('data-outside')
  expect(dayIn(html, '2099-04-01')).not.toContain('data-outside')
  const last = dayIn(html, '2099-04-30')
  expect(last).toContain('On the last day')
  expect(last).toContain('>09:00<')
  expect(last).toContain('aria-label="Sandbox"')
  expect(last).toContain('Scheduled')
})

test('SOC-34 today is marked, and only days from today on lead to the composer, with their date', async () => {
  const writer = await openWriter()
  const html = await draw(writer, '')
  const today = Temporal.Now.plainDateISO('Europe/Berlin').toString()
  expect(dayIn(html, today)).toMatch(/data-today[^]*aria-current="date"/)
  for (const day of daysOf(html))
    expect(dayIn(html, day ?? '').includes(`/workspace/posts/new?brandId=${writer.brand.id}&amp;at=${day}`)).toBe(
      (day ?? '') >= today,
    )
})

test('SOC-34 full day shows three posts, and the number of the others leads to its agenda', async () => {
  const writer = await openWriter()
  for (const [at, text] of ['One', 'Two', 'Three', 'Four', 'Five'].entries())
    await write(writer, `2099-04-08T1${at}:00`, text)
  const day = dayIn(await draw(writer, 'date=2099-04-01'), '2099-04-08')
  expect(day).toContain('Three')
  expect(day).not.toContain('Four')
  const [, href = ''] = /class="more" href="([^"]+)">2 more/.exec(day) ?? []
  const agenda = await writer.person.draw(`GET ${href.replaceAll('&amp;', '&')}`)
  expect(daysOf(agenda)[0]).toBe('2099-04-08')
  expect(agenda).toContain('Five')
})

test('SOC-34 week places posts by their hour, and its free hours lead to the composer with that time', async () => {
  const writer = await openWriter()
  await write(writer, '2099-04-08T06:30', 'Early')
  const html = await draw(writer, 'view=week&date=2099-04-08')
  expect(html).toContain('<h1>6 – 12 April 2099</h1>')
  expect(html).toContain('--from: 6; --hours: 14')
  expect(dayIn(html, '2099-04-08')).toContain('--at: 6.50; --shift: 0; --of: 1')
  expect(dayIn(html, '2099-04-08')).toContain('at=2099-04-08T12%3A00')
})

test('SOC-34 composer begins with the time or the day of the link, unless it has passed', async () => {
  const writer = await openWriter()
  const fields = async (at: string) => {
    const html = await writer.person.draw(`GET /workspace/posts/new?brandId=${writer.brand.id}&at=${at}`)
    return ['date', 'time'].map((id) => new RegExp(`id="${id}"[^>]*? value="([^"]+)"`).exec(html)?.[1])
  }
  expect(await fields('2099-04-08T16:45')).toEqual(['2099-04-08', '16:45'])
  expect(await fields('2099-04-08')).toEqual(['2099-04-08', '09:00'])
  for (const at of ['2020-01-01T09:00', 'soon', '2099-02-30']) {
    const [date] = await fields(at)
    expect(date?.slice(0, 4)).not.toBe(at.slice(0, 4))
  }
})

test('SOC-34 thread is one event, with the state of its most urgent part', async () => {
  const writer = await openWriter()
  const { items } = await writer.thread('One', 'Two', 'Three')
  await markPublished(desk, items[0]?.id ?? '')
  await markFailed(desk, items[1]?.id ?? '')
  await desk.database.sql`
    UPDATE social.posts SET scheduled_at = '2099-04-08T10:00Z' WHERE thread_id = ${items[0]?.threadId ?? ''}`
  const html = await draw(writer, 'date=2099-04-08')
  expect(html.match(/class="event"/g)?.length).toBe(1)
  expect(html).toContain('data-state="failed"')
  expect(html).toContain('Thread of 3')
})

test('SOC-34 readers without calendar:write can’t drag or move, and without posts:write not create', async () => {
  const writer = await openWriter()
  const post = await write(writer, '2099-04-08T09:00', 'Fixed')
  const { organization } = writer.person
  const reader = desk.person({ organization, permissions: ['posts:read', 'calendar:read'] })
  const html = await draw(writer, 'date=2099-04-08', { ...writer, person: reader })
  expect(html).toContain('Fixed')
  expect(html).not.toContain('draggable="true"')
  expect(html).not.toContain('class="move"')
  expect(html).not.toContain('/workspace/posts/new')
  const mine = await draw(writer, 'date=2099-04-08')
  expect(mine).toContain(`/workspace/calendar/${post.id}/move`)
})

test('SOC-34 form without scripts moves a post, and shows itself again with what is wrong', async () => {
  const writer = await openWriter()
  const post = await write(writer, '2099-04-08T09:00', 'Plain')
  const form = await writer.person.draw(`GET /workspace/calendar/${post.id}/move?view=week`)
  expect(form).toContain(`action="/api/calendar/${post.id}?_method=PATCH"`)
  expect(form).toContain('name="localTime.date"')
  const send = (time: string) =>
    writer.person.send(
      `POST /api/calendar/${post.id}?_method=PATCH`,
      new URLSearchParams({
        'localTime.date': '2099-04-09',
        'localTime.time': time,
        version: '1',
        timeZone: 'Europe/Berlin',
      }),
      {
        'content-type': 'application/x-www-form-urlencoded',
        'sec-fetch-mode': 'navigate',
        'sec-fetch-site': 'same-origin',
        accept: 'text/html',
        referer: `http://localhost/workspace/calendar/${post.id}/move?view=week`,
      },
    )
  const moved = await send('10:30')
  expect(moved.status).toBe(303)
  expect(moved.headers.get('location')).toBe(`/workspace/calendar?brandId=${writer.brand.id}&date=2099-04-09&view=week`)
  const outdated = await send('11:30')
  expect(outdated.status).toBe(409)
  const again = await outdated.text()
  expect(again).toContain('Move post')
  expect(again).toContain('Someone else changed this post')
})

test('SOC-34 calendar without posts says so, and with filters offers to clear them', async () => {
  const writer = await openWriter()
  expect(await draw(writer, 'date=2099-04-08')).toContain('No posts yet')
  const filtered = await draw(writer, 'date=2099-04-08&status=failed')
  expect(filtered).toContain('No matching posts')
  expect(filtered).toContain('Clear filters')
})

test('SOC-34 holidays are those of the brand’s time zone, of a chosen country, or none', async () => {
  const writer = await openWriter()
  const read = async (country = '') =>
    (
      await writer.person.fetch<Calendar>(
        `GET /api/calendar?brandId=${writer.brand.id}&from=2026-12-20&to=2027-01-02${country && `&country=${country}`}`,
      )
    ).body
  expect(await read()).toMatchObject({
    country: 'DE',
    holidays: [
      { date: '2026-12-25', name: '1. Weihnachtstag' },
      { date: '2026-12-26', name: '2. Weihnachtstag' },
      { date: '2027-01-01', name: 'Neujahr' },
    ],
  })
  expect((await read('CL')).holidays).toEqual([
    { date: '2026-12-25', name: 'Navidad' },
    { date: '2027-01-01', name: 'Año Nuevo' },
  ])
  expect(await read('none')).toMatchObject({ country: null, holidays: [] })
  expect(
    (await writer.person.fetch(`GET /api/calendar?brandId=${writer.brand.id}&from=2026-12-20&to=2027-01-02&country=XX`))
      .status,
  ).toBe(422)
  expect(dayIn(await draw(writer, 'date=2026-12-01'), '2026-12-25')).toContain('1. Weihnachtstag')
})

test('SOC-34 countries to choose from are those of the library', () => {
  expect(Object.keys(new Holidays().getCountries('en'))).toEqual([...holidayCountries])
})

test('SOC-34 wall times of many instants are those of Temporal, across all changes of a year', () => {
  for (const zone of ['Europe/Berlin', 'America/Santiago', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'UTC']) {
    const localTime = localTimes(zone)
    for (let at = Date.UTC(2026, 0, 1); at < Date.UTC(2027, 0, 1); at += 7_777_000)
      expect(localTime(new Date(at))).toBe(
        Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).toPlainDateTime().toString().slice(0, 16),
      )
  }
})

test('SOC-34 events that overlap are placed side by side, at most three, and the others are counted', () => {
  const event = (time: string) => ({ post: { localTime: `2099-04-08T${time}` } }) as CalendarEvent
  const { placed, more } = layOut(['09:00', '09:15', '09:30', '09:40', '12:00'].map(event))
  expect(placed.map(({ at, column, of }) => [at, column, of])).toEqual([
    [9, 0, 4],
    [9.25, 1, 4],
    [9.5, 2, 4],
    [12, 0, 1],
  ])
  expect(more).toEqual([{ at: 9, count: 1, of: 4 }])
})

test('SOC-34 ranges of months, weeks and agendas cross years', () => {
  expect(rangeOf('week', '2026-12-31')).toMatchObject({ title: '28 December 2026 – 3 January 2027' })
  expect(rangeOf('month', '2026-12-31')).toMatchObject({ previous: '2026-11-01', next: '2027-01-01' })
  expect(rangeOf('agenda', '2026-12-31').days.length).toBe(28)
})

test('SOC-34 calendar of 1,000 posts in a month is drawn in under 100 ms, and an index finds them among others', async () => {
  const writer = await openWriter()
  const { id } = await write(writer, '2099-04-01T00:00', 'One of many, with some text that is shown')
  const { sql } = desk.database
  await sql`
    INSERT INTO social.posts (id, brand_id, provider, author_id, text, status, scheduled_at, due_at)
    SELECT gen_random_uuid(), brand_id, provider, author_id, text, status, scheduled_at + n * interval '42 minutes', due_at
    FROM social.posts, generate_series(1, 999) n WHERE id = ${id}`
  await sql`
    INSERT INTO social.posts (id, brand_id, provider, author_id, text, status, scheduled_at, due_at)
    SELECT gen_random_uuid(), brand_id, provider, author_id, text, status, scheduled_at - n * interval '42 minutes', due_at
    FROM social.posts, generate_series(1, 10000) n WHERE id = ${id}`
  await sql`ANALYZE social.posts`
  for (const view of ['month', 'week', 'agenda']) await draw(writer, `view=${view}&date=2099-04-01`)
  const times: number[] = []
  for (let round = 0; round < 7; round++) {
    const begin = performance.now()
    const html = await draw(writer, 'date=2099-04-01')
    times.push(performance.now() - begin)
    expect(html.match(/class="event"/g)?.length).toBeGreaterThanOrEqual(90)
  }
  expect(Math.min(...times)).toBeLessThan(100)
  const query = calendarQuery(desk.database.db, ['brandId', 'from', 'to']).toSQL().sql
  const values = [writer.brand.id, '2099-03-30T00:00Z', '2099-05-04T00:00Z']
  const plan = JSON.stringify(
    await sql.unsafe(`EXPLAIN ${query.replaceAll(/\$(\d+)/g, (_, nth) => `'${values[Number(nth) - 1] ?? '2001'}'`)}`),
  )
  expect(plan).toContain('posts_newest')
  expect(plan).not.toContain('Seq Scan on posts')
})
