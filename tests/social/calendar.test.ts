import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Calendar, Post } from '#social/types'
import { inMinutes, createWriter, markFailed, markPublished, addAttempt, type Writer } from './writer.ts'
import { openSocialServer, type ProblemBody, type SocialServer } from './social-server.ts'

let desk: SocialServer
let ada: Writer
beforeAll(async () => {
  desk = await openSocialServer()
  ada = await createWriter(desk, planner())
})
afterAll(() => desk.close())

const permissions = ['posts:read', 'posts:write', 'calendar:read', 'calendar:write', 'accounts:write', 'brands:write']
const planner = (organization?: Writer['person']['organization'], own = permissions) =>
  desk.person({ ...(organization && { organization }), permissions: own })

const at = async (writer: Writer, localTime: string, text = 'Hello') =>
  (await writer.write({ text, status: 'scheduled', scheduledAt: localTime })).body

const read = async <Answer = Calendar>(writer: Writer, from: string, to: string, more = '') =>
  writer.person.fetch<Answer>(`GET /api/calendar?brandId=${writer.brand.id}&from=${from}&to=${to}${more}`)

const excerpts = async (writer: Writer, from: string, to: string, more = '') =>
  (await read(writer, from, to, more)).body.items.map(({ excerpt }) => excerpt)

const move = <Answer = Post>(id: string, values: Record<string, unknown>, writer = ada) =>
  writer.person.fetch<Answer>(`PATCH /api/calendar/${id}`, values)

test('SOC-34 calendar lists the posts of the days in the time zone of the brand, by time, with local times', async () => {
  const writer = await createWriter(desk, planner())
  await at(writer, '2099-03-31T23:59', 'before')
  await at(writer, '2099-04-01T00:00', 'first')
  await at(writer, '2099-04-30T23:59', 'last')
  await at(writer, '2099-05-01T00:00', 'after')
  await writer.draft('draft')
  const { body } = await read(writer, '2099-04-01', '2099-04-30')
  expect(body).toMatchObject({
    items: [
      {
        excerpt: 'first',
        localTime: '2099-04-01T00:00',
        scheduledAt: '2099-03-31T22:00:00.000Z',
        timeZone: 'Europe/Berlin',
        account: { id: writer.connection.id, name: writer.connection.account.name },
        can: { move: true },
      },
      { excerpt: 'last', localTime: '2099-04-30T23:59' },
    ],
    omitted: 0,
    nextCursor: null,
  })
})

test('SOC-34 calendar refuses a range that is missing, reversed or too long, naming the field', async () => {
  for (const [from, to, path] of [
    ['', '2099-04-30', 'from'],
    ['2099-05-01', '2099-04-30', 'to'],
    ['2099-01-01', '2099-02-15', 'to'],
    ['2099-04-31', '2099-05-01', 'from'],
  ] as const) {
    const { status, body } = await read<ProblemBody>(ada, from, to)
    expect([status, body.errors[0]?.path]).toEqual([422, path])
  }
  expect((await read(ada, '2099-01-01', '2099-02-14')).status).toBe(200)
})

test('SOC-34 SOC-40 moving a draft or a failed post needs the permission to write, unlike a scheduled one', async () => {
  const writer = await createWriter(desk, planner())
  const [draft, failed, scheduled] = [await writer.draft(), await writer.scheduled(), await writer.scheduled()]
  await markFailed(desk, failed.id)
  const mover = planner(writer.person.organization, ['calendar:read', 'calendar:write'])
  const statusOf = async (id: string) =>
    (await mover.fetch(`PATCH /api/calendar/${id}`, { localTime: '2099-06-01T10:00' })).status
  expect(await Promise.all([draft, failed, scheduled].map(({ id }) => statusOf(id)))).toEqual([403, 403, 200])
})

test('SOC-34 calendar refuses days beyond those of calendars', async () => {
  const { status, body } = await read<ProblemBody>(ada, '9000-01-01', '9000-01-02')
  expect([status, body.errors[0]?.path]).toEqual([422, 'from'])
})

test('SOC-34 calendar filters by network, account, tag, campaign, author and state', async () => {
  const writer = await createWriter(desk, planner())
  const friend = { ...writer, person: planner(writer.person.organization) }
  const own = { status: 'scheduled', scheduledAt: '2099-04-02T09:00' }
  await writer.write({ text: 'tagged', tags: ['launch'], ...own })
  await writer.write({ text: 'campaign', campaign: 'Spring', ...own })
  await friend.person.fetch('POST /api/posts', {
    brandId: writer.brand.id,
    provider: 'sandbox',
    text: 'friend',
    ...own,
  })
  const failed = (await writer.write({ text: 'failed', ...own })).body
  await markFailed(desk, failed.id)
  await desk.database.sql`UPDATE social.posts SET scheduled_at = '2099-04-02T10:00Z' WHERE id = ${failed.id}`
  const matches = (more: string) => excerpts(writer, '2099-04-01', '2099-04-30', more)
  expect(await matches('&tag=launch')).toEqual(['tagged'])
  expect(await matches('&campaign=Spring')).toEqual(['campaign'])
  expect(await matches(`&authorId=${friend.person.id}`)).toEqual(['friend'])
  expect(await matches('&status=failed')).toEqual(['failed'])
  expect(await matches('&provider=bluesky')).toEqual([])
  expect((await matches(`&provider=sandbox&accountId=${writer.connection.id}`)).length).toBe(4)
})

test('SOC-34 calendar counts the posts that it leaves out', async () => {
  const writer = await createWriter(desk, planner())
  const { id } = await at(writer, '2099-04-02T09:00', 'first')
  await copies(id, 2_500)
  const { body } = await read(writer, '2099-04-01', '2099-04-30')
  expect([body.items.length, body.omitted, body.items[0]?.excerpt]).toEqual([2_000, 501, 'first'])
  await copies(id, 8_000)
  const filtered = await read(writer, '2099-04-01', '2099-04-30', '&provider=bluesky')
  expect([filtered.body.items.length, filtered.body.omitted]).toEqual([0, 501])
})

/** Each a second after the one before. */
const copies = (id: string, count: number) => desk.database.sql`
  INSERT INTO social.posts (id, brand_id, provider, author_id, text, status, scheduled_at, due_at)
  SELECT gen_random_uuid(), brand_id, provider, author_id, 'copy', 'scheduled', scheduled_at + n * interval '1 second', due_at
  FROM social.posts, generate_series(1, ${count}::int) n WHERE id = ${id}`

test('SOC-34 moved post has the new local time, and its audit, event and undo', async () => {
  const post = await at(ada, '2099-06-01T09:00')
  desk.news.length = 0
  const moved = await move(post.id, { localTime: '2099-06-05T14:30', version: post.version })
  expect(moved.body).toMatchObject({ scheduledAt: '2099-06-05T12:30:00.000Z', version: 2, status: 'scheduled' })
  expect(moved.headers.get('etag')).toBe('"2"')
  expect(desk.news).toContainEqual({
    topic: 'social.post',
    payload: { brandId: ada.brand.id, postId: post.id },
  })
  const { toast } = JSON.parse(moved.headers.get('hx-trigger') ?? '{}') as { toast: { message: string; undo: Undo } }
  expect(toast.message).toBe('Moved to Fri 5 Jun 14:30')
  const back = await ada.person.fetch<Post>(`${toast.undo.method} ${toast.undo.href}`, toast.undo.body)
  expect(back.body).toMatchObject({ scheduledAt: post.scheduledAt, version: 3 })
})

interface Undo {
  method: string
  href: string
  body: Record<string, unknown>
}

test.each([
  {
    timeZone: 'Europe/Berlin',
    days: ['2099-03-28', '2099-03-29', '2099-03-30', '2099-10-24', '2099-10-25', '2099-10-26'],
  },
  {
    timeZone: 'America/Santiago',
    days: ['2099-04-04', '2099-04-05', '2099-04-06', '2099-09-05', '2099-09-06', '2099-09-07'],
  },
])('SOC-34 post at 09:00 in $timeZone stays at 09:00 on both sides of each change', async ({ timeZone, days }) => {
  const person = planner()
  const writer = await createWriter(desk, person)
  await person.fetch(`PUT /api/brands/${writer.brand.id}`, { timeZone })
  const post = await at(writer, `${days[0]}T09:00`)
  const offsets = new Set<string>()
  for (const day of [...days, ...days.toReversed()]) {
    const { body } = await move(post.id, { date: day }, writer)
    const local = Temporal.Instant.from(body.scheduledAt ?? '').toZonedDateTimeISO(timeZone)
    offsets.add(local.offset)
    expect(local.toPlainDateTime().toString()).toBe(`${day}T09:00:00`)
    const listed = (await read(writer, day, day)).body.items
    expect(listed.map(({ localTime }) => localTime)).toEqual([`${day}T09:00`])
  }
  expect(offsets.size).toBe(2)
})

test('SOC-34 move to a skipped wall time is explained by field, and one that occurs twice means the first', async () => {
  const post = await at(ada, '2099-03-28T02:30')
  for (const [field, values] of [
    ['localTime', { localTime: '2099-03-29T02:30' }],
    ['date', { date: '2099-03-29' }],
  ] as const) {
    const { status, body } = await move<ProblemBody>(post.id, values)
    expect([status, body.errors]).toEqual([
      422,
      [
        {
          path: field,
          message:
            '02:30 doesn’t exist on 2099-03-29 in Europe/Berlin: clocks go forward. Choose another time, such as 03:30.',
        },
      ],
    ])
  }
  const twice = await move(post.id, { 'localTime.date': '2099-10-25', 'localTime.time': '02:30' })
  expect(twice.status).toBe(422)
  const first = await move(post.id, { localTime: { date: '2099-10-25', time: '02:30' } })
  expect(first.body.scheduledAt).toBe('2099-10-25T00:30:00.000Z')
})

test('SOC-34 move to a past time, without a time, or with two is refused', async () => {
  const post = await at(ada, '2099-06-01T09:00')
  for (const [values, path] of [
    [{ localTime: '2020-01-01T09:00' }, 'localTime'],
    [{ date: '2020-01-01' }, 'date'],
    [{ scheduledAt: inMinutes(-5) }, 'scheduledAt'],
    [{}, 'localTime'],
    [{ date: '2099-06-02', localTime: '2099-06-02T10:00' }, 'localTime'],
    [{ scheduledAt: inMinutes(60), timeZone: 'UTC' }, 'timeZone'],
  ] as const) {
    const { status, body } = await move<ProblemBody>(post.id, values)
    expect([status, body.errors[0]?.path]).toEqual([422, path])
  }
})

test('SOC-34 move of another version is 409 with both, and of a published or sending post is refused', async () => {
  const post = await at(ada, '2099-06-01T09:00', 'Old')
  await ada.change(post.id, { text: 'New' })
  const outdated = await move<ProblemBody>(post.id, { date: '2099-06-02', version: 1 })
  expect([outdated.status, outdated.body.code]).toEqual([409, 'version_conflict'])
  expect(outdated.body).toMatchObject({ yours: { version: 1 }, current: { version: 2, text: 'New' } })
  await addAttempt(desk, post, 'sending')
  expect((await move<ProblemBody>(post.id, { date: '2099-06-02' })).body.code).toBe('publishing_in_progress')
  const published = await at(ada, '2099-06-01T09:00')
  await markPublished(desk, published.id)
  expect((await move<ProblemBody>(published.id, { date: '2099-06-02' })).body.code).toBe('invalid_transition')
  const [listed] = (await read(ada, '2099-06-01', '2099-06-01', '&status=published')).body.items
  expect(listed?.can.move).toBe(false)
})

test('SOC-34 SOC-22 thread moves as a whole, and so does its undo', async () => {
  const { items } = await ada.thread('One', 'Two', 'Three')
  const [one, two, three] = items
  await ada.change(three?.id ?? '', { status: 'scheduled', scheduledAt: inMinutes(90) })
  await move(two?.id ?? '', { localTime: '2099-07-01T10:00' })
  const times = async () =>
    Promise.all(items.map(async ({ id }) => (await ada.person.fetch<Post>(`GET /api/posts/${id}`)).body.scheduledAt))
  const [first, second, third] = await times()
  expect([first, second]).toEqual(['2099-07-01T08:00:00.000Z', '2099-07-01T08:00:00.000Z'])
  expect(Date.parse(third ?? '') - Date.parse(first ?? '')).toBeGreaterThan(29 * 60_000)
  await markPublished(desk, one?.id ?? '')
  await move(three?.id ?? '', { date: '2099-07-02' })
  expect((await times()).map((time) => time?.slice(0, 10))).toEqual(['2099-07-01', '2099-07-02', '2099-07-02'])
})

test('SOC-34 failed post is scheduled again by its move, and a draft by one with a time', async () => {
  const failed = await at(ada, '2099-06-01T09:00')
  await markFailed(desk, failed.id)
  const again = await move(failed.id, { localTime: '2099-06-02T09:00' })
  expect(again.body).toMatchObject({ status: 'scheduled', failureCode: null })
  const draft = await ada.draft()
  expect((await move<ProblemBody>(draft.id, { date: '2099-06-02' })).body.errors[0]?.path).toBe('date')
  expect((await move(draft.id, { localTime: '2099-06-02T09:00' })).body.status).toBe('scheduled')
})

test('SOC-34 SOC-40 calendar and moves need their permissions, and other tenants’ brands and posts are 404', async () => {
  const post = await at(ada, '2099-06-01T09:00')
  const reader = planner(ada.person.organization, ['calendar:read'])
  const stranger = planner()
  const path = `/api/calendar?brandId=${ada.brand.id}&from=2099-06-01&to=2099-06-30`
  const mine = await reader.fetch<Calendar>(`GET ${path}`)
  expect(mine.body.items.every(({ can }) => !can.move)).toBe(true)
  expect((await reader.fetch(`PATCH /api/calendar/${post.id}`, { date: '2099-06-02' })).status).toBe(403)
  expect((await planner(ada.person.organization, ['posts:read']).fetch(`GET ${path}`)).status).toBe(403)
  expect((await stranger.fetch(`GET ${path}`)).status).toBe(404)
  expect((await stranger.fetch(`PATCH /api/calendar/${post.id}`, { date: '2099-06-02' })).status).toBe(404)
})
