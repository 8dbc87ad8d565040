import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Brand, Connection, MovedPosts, Post } from '#social/types'
import { openSocialServer, type Person, type ProblemBody, type SocialServer } from './social-server.ts'
import { addAttempt, createWriter, markPublished, type Writer } from './writer.ts'

let desk: SocialServer
beforeAll(async () => {
  desk = await openSocialServer({ pages: true })
})
afterAll(() => desk.close())

const permissions = ['posts:read', 'posts:write', 'calendar:read', 'calendar:write', 'accounts:write', 'brands:write']
const slot = (day: string, time = '09:00', zone = 'Europe/Berlin') =>
  Temporal.PlainDateTime.from(`${day}T${time}`).toZonedDateTime(zone).toInstant().toString()

/** With slots at 09:00 and 17:00 of each day. */
async function openWriter(timeZone = 'Europe/Berlin') {
  const writer = await createWriter(desk, desk.person({ permissions }))
  await writer.person.fetch<Brand>(`PUT /api/brands/${writer.brand.id}`, { timeZone })
  for (const time of ['09:00', '17:00'])
    await writer.person.fetch(`POST /api/brands/${writer.brand.id}/queue-slots`, { days: [1, 2, 3, 4, 5, 6, 7], time })
  return writer
}

const schedule = async ({ write }: Writer, scheduledAt: string, more: object = {}) =>
  (await write({ text: `At ${scheduledAt}`, status: 'scheduled', scheduledAt, ...more })).body

async function connect({ person, brand }: Writer, handle: string): Promise<{ connectionId: string }> {
  const connected = await person.fetch<{ connection: Connection }>('POST /api/integrations/sandbox/connect', {
    brandId: brand.id,
    handle,
  })
  return { connectionId: connected.body.connection.id }
}

const move = (person: Person, postId: string, to: string, version?: number) =>
  person.fetch<MovedPosts & ProblemBody>('POST /api/queue/moves', { postId, to, version })

/** The times of posts, by their scheduled time in UTC. */
const timesOf = async ({ person }: Writer, ...ids: string[]) => {
  const posts = await Promise.all(ids.map(async (id) => (await person.fetch<Post>(`GET /api/posts/${id}`)).body))
  return posts.map(({ scheduledAt }) => scheduledAt?.slice(0, 16) ?? '')
}

test('SOC-16 post is moved to a free slot', async () => {
  const writer = await openWriter()
  const post = await schedule(writer, '2099-06-01T09:00')
  const { status, body } = await move(writer.person, post.id, slot('2099-06-03', '17:00'), post.version)
  expect(status).toBe(200)
  expect(body.items.map(({ id, version }) => [id, version])).toEqual([[post.id, post.version + 1]])
  expect(await timesOf(writer, post.id)).toEqual(['2099-06-03T15:00'])
})

test('SOC-16 post swaps its time with the post of the same account in the slot, also from outside of the slots', async () => {
  const writer = await openWriter()
  const first = await schedule(writer, '2099-06-01T11:11')
  const second = await schedule(writer, '2099-06-02T09:00')
  const { body } = await move(writer.person, first.id, slot('2099-06-02'))
  expect(body.items.map(({ id }) => id)).toEqual([first.id, second.id])
  expect(await timesOf(writer, first.id, second.id)).toEqual(['2099-06-02T07:00', '2099-06-01T09:11'])
})

test('SOC-16 posts of other accounts keep the slot to which a post is moved', async () => {
  const writer = await openWriter()
  const [one, two] = [{ connectionId: writer.connection.id }, await connect(writer, 'queue-other')]
  const moved = await schedule(writer, '2099-06-01T09:00', { target: one })
  const same = await schedule(writer, '2099-06-02T09:00', { target: one })
  const other = await schedule(writer, '2099-06-02T09:00', { target: two })
  const { body } = await move(writer.person, moved.id, slot('2099-06-02'))
  expect(body.items.map(({ id }) => id)).toEqual([moved.id, same.id])
  expect(await timesOf(writer, moved.id, same.id, other.id)).toEqual([
    '2099-06-02T07:00',
    '2099-06-01T07:00',
    '2099-06-02T07:00',
  ])
})

test('SOC-16 threads are moved and swapped as a whole', async () => {
  const writer = await openWriter()
  const post = await schedule(writer, '2099-06-01T09:00')
  const thread = await writer.write<{ items: Post[] }>({
    text: undefined,
    thread: [{ text: 'One' }, { text: 'Two' }],
    status: 'scheduled',
    scheduledAt: '2099-06-02T09:00',
  })
  const parts = thread.body.items.map(({ id }) => id)
  const { body } = await move(writer.person, post.id, slot('2099-06-02'))
  expect(body.items.map(({ id, version }) => [id, version])).toEqual([post.id, ...parts].map((id) => [id, 2]))
  expect(await timesOf(writer, post.id, ...parts)).toEqual(['2099-06-02T07:00', '2099-06-01T07:00', '2099-06-01T07:00'])
  await move(writer.person, parts[0] ?? '', slot('2099-06-02'))
  expect(await timesOf(writer, post.id, ...parts)).toEqual(['2099-06-01T07:00', '2099-06-02T07:00', '2099-06-02T07:00'])
})

// Clocks change on 29 March 2099 in Berlin, on 6 September 2099 in Santiago.
test.each([
  ['Europe/Berlin', '2099-03-28', '2099-03-29', ['2099-03-29T07:00', '2099-03-28T08:00']],
  ['America/Santiago', '2099-09-05', '2099-09-06', ['2099-09-06T12:00', '2099-09-05T13:00']],
])(
  'SOC-16 swapped posts keep the local time of their slots across the change of clocks in %s',
  async (zone, one, two, times) => {
    const writer = await openWriter(zone)
    const first = await schedule(writer, `${one}T09:00`, { timeZone: zone })
    const second = await schedule(writer, `${two}T09:00`, { timeZone: zone })
    expect((await move(writer.person, first.id, slot(two, '09:00', zone))).status).toBe(200)
    expect(await timesOf(writer, first.id, second.id)).toEqual(times)
  },
)

test('SOC-16 time that isn’t a coming slot, and the slot of the post itself, are refused with the field', async () => {
  const writer = await openWriter()
  const post = await schedule(writer, '2099-06-01T09:00')
  for (const to of [slot('2099-06-02', '09:01'), slot('2020-06-02'), slot('2099-06-01'), 'soon']) {
    const { status, body } = await move(writer.person, post.id, to)
    expect([status, body.errors[0]?.path]).toEqual([422, 'to'])
  }
})

test('SOC-16 draft, published and sending posts, and outdated versions are 409, and nothing moves', async () => {
  const writer = await openWriter()
  const draft = await writer.draft()
  const published = await schedule(writer, '2099-06-01T09:00')
  await markPublished(desk, published.id)
  const sending = await schedule(writer, '2099-06-02T09:00')
  await addAttempt(desk, sending, 'sending')
  const edited = await schedule(writer, '2099-06-03T09:00')
  const code = async (id: string, version?: number) => {
    const { status, body } = await move(writer.person, id, slot('2099-06-04'), version)
    return [status, body.code]
  }
  expect(await code(draft.id)).toEqual([409, 'invalid_transition'])
  expect(await code(published.id)).toEqual([409, 'invalid_transition'])
  expect(await code(sending.id)).toEqual([409, 'publishing_in_progress'])
  expect(await code(edited.id, 7)).toEqual([409, 'version_conflict'])
  expect(await timesOf(writer, sending.id, edited.id)).toEqual(['2099-06-02T07:00', '2099-06-03T07:00'])
})

test('SOC-16 post of the slot that can’t get the other time stays, and so does the moved one', async () => {
  const writer = await openWriter()
  const overdue = await schedule(writer, '2099-06-01T09:00')
  const inSlot = await schedule(writer, '2099-06-02T09:00')
  await desk.database.sql`UPDATE social.posts SET scheduled_at = '2020-01-01T00:00Z' WHERE id = ${overdue.id}`
  const refused = await move(writer.person, overdue.id, slot('2099-06-02'))
  expect([refused.status, refused.body.code]).toEqual([409, 'swap_refused'])
  expect(refused.body.detail).toContain('That time has passed. Choose a free slot.')
  const other = await schedule(writer, '2099-06-03T09:00')
  await addAttempt(desk, inSlot, 'sending')
  expect((await move(writer.person, other.id, slot('2099-06-02'))).body.code).toBe('swap_refused')
  expect(await timesOf(writer, inSlot.id, other.id)).toEqual(['2099-06-02T07:00', '2099-06-03T07:00'])
  expect((await move(writer.person, overdue.id, slot('2099-06-04'))).status).toBe(200)
})

test('SOC-16 SOC-49 post without its approval is not moved, as when it is rescheduled', async () => {
  const writer = await openWriter()
  const first = await schedule(writer, '2099-06-01T09:00')
  const second = await schedule(writer, '2099-06-02T09:00')
  await writer.person.fetch(`PUT /api/brands/${writer.brand.id}`, { reviewPolicy: { approvals: 1 } })
  const rescheduled = await writer.person.fetch<ProblemBody>(`PATCH /api/calendar/${first.id}`, {
    scheduledAt: slot('2099-06-03'),
  })
  const { status, body } = await move(writer.person, first.id, slot('2099-06-03'))
  expect([status, body.code]).toEqual([rescheduled.status, rescheduled.body.code])
  expect([status, body.code]).toEqual([409, 'approval_required'])
  expect(await timesOf(writer, first.id, second.id)).toEqual(['2099-06-01T07:00', '2099-06-02T07:00'])
})

test('SOC-16 two posts that are moved to one free slot at once never share it', async () => {
  const writer = await openWriter()
  for (let round = 1; round <= 5; round++) {
    const day = `2099-07-0${round}`
    const posts = await Promise.all(['10:00', '11:00', '12:00'].map((time) => schedule(writer, `${day}T${time}`)))
    const answers = await Promise.all(posts.map(({ id }) => move(writer.person, id, slot(day, '17:00'))))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    const times = await timesOf(writer, ...posts.map(({ id }) => id))
    expect(times.filter((time) => time === `${day}T15:00`).length).toBe(1)
    expect(new Set(times).size).toBe(3)
  }
})

test('SOC-16 two posts that are swapped with each other at once are both in one of the two slots', async () => {
  const writer = await openWriter()
  const one = await schedule(writer, '2099-06-01T09:00')
  const two = await schedule(writer, '2099-06-02T09:00')
  for (let round = 0; round < 5; round++) {
    const answers = await Promise.all([
      move(writer.person, one.id, slot('2099-06-02')),
      move(writer.person, two.id, slot('2099-06-01')),
    ])
    expect(answers.every(({ status }) => status === 200 || status === 422)).toBe(true)
    expect((await timesOf(writer, one.id, two.id)).toSorted()).toEqual(['2099-06-01T07:00', '2099-06-02T07:00'])
    await move(writer.person, one.id, slot('2099-06-01'))
  }
})

test('SOC-16 next free slot and a move at once never take the same slot', async () => {
  const writer = await openWriter()
  for (let round = 0; round < 5; round++) {
    const { nextFree } = (await writer.person.fetch<{ nextFree: string }>(`GET /api/queue?brandId=${writer.brand.id}`))
      .body
    const moved = await schedule(writer, `2099-06-1${round}T12:00`)
    const [answer, next] = await Promise.all([move(writer.person, moved.id, nextFree), schedule(writer, 'next-slot')])
    expect(answer.status).toBe(200)
    const times = await timesOf(writer, moved.id, next.id)
    expect(new Set(times).size).toBe(2)
  }
})

test('SOC-16 many moves of the same posts at once don’t deadlock, nor with next free slots', async () => {
  const writer = await openWriter()
  const days = ['2099-06-01', '2099-06-02', '2099-06-03', '2099-06-04']
  const posts: Post[] = []
  for (const day of days) posts.push(await schedule(writer, `${day}T09:00`))
  const deadlocks = async () => {
    await desk.database.sql`SELECT pg_stat_force_next_flush()`
    const [row] = await desk.database.sql<{ deadlocks: string }[]>`
      SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()`
    return Number(row?.deadlocks)
  }
  const before = await deadlocks()
  for (let round = 0; round < 6; round++)
    await Promise.all(
      posts.flatMap(({ id }, at) =>
        days.map((_, by) => move(writer.person, id, slot(days[(at + by + round) % 4] ?? ''))),
      ),
    )
  expect((await timesOf(writer, ...posts.map(({ id }) => id))).toSorted()).toEqual(days.map((day) => `${day}T07:00`))
  for (let round = 0; round < 6; round++)
    await Promise.all(
      posts.flatMap(({ id }, at) => [
        move(writer.person, id, slot(days[(at + round) % 4] ?? '')),
        writer.change(id, { status: 'scheduled', scheduledAt: 'next-slot' }),
      ]),
    )
  expect(await deadlocks()).toBe(before)
})

test('SOC-40 moving needs calendar:write in the brand, and posts of another organization are not found', async () => {
  const writer = await openWriter()
  const post = await schedule(writer, '2099-06-01T09:00')
  const { organization } = writer.person
  const to = slot('2099-06-02')
  const reader = desk.person({ organization, permissions: ['posts:read', 'calendar:read'] })
  expect((await move(reader, post.id, to)).status).toBe(403)
  expect((await move(desk.person({ permissions }), post.id, to)).status).toBe(404)
  const other = await createWriter(desk, desk.person({ organization, permissions }))
  const limited = desk.person({ organization, permissions, limits: [{ brandId: other.brand.id, permissions }] })
  expect((await move(limited, post.id, to)).status).toBe(404)
  const planner = desk.person({ organization, permissions: ['calendar:write'] })
  expect((await move(planner, post.id, to)).status).toBe(200)
})

test('IDN-36 test key doesn’t move posts of real networks', async () => {
  const writer = await openWriter()
  const post = await schedule(writer, '2099-06-01T09:00')
  const key = desk.person({ organization: writer.person.organization, permissions, key: 'test' })
  expect((await move(key, post.id, slot('2099-06-02'))).status).toBe(200)
  await desk.database.sql`UPDATE social.posts SET provider = 'bluesky' WHERE id = ${post.id}`
  const { status, body } = await move(key, post.id, slot('2099-06-03'))
  expect([status, body.code]).toEqual([403, 'test_key_not_allowed'])
})

test('SOC-16 move is offered to those who can move, by buttons to the slots around and a form of all', async () => {
  const writer = await openWriter()
  const post = await schedule(writer, '2099-06-02T09:00')
  const other = await schedule(writer, '2099-06-03T09:00')
  const query = `GET /workspace/queue?brandId=${writer.brand.id}&date=2099-06-02`
  const html = await writer.person.draw(query)
  expect(html).toContain('action="/api/queue/moves"')
  expect(html).toContain(
    `id="earlier-${post.id}" name="to" value="${new Date(slot('2099-06-01', '17:00')).toISOString()}"`,
  )
  expect(html).toContain(
    `id="later-${post.id}" name="to" value="${new Date(slot('2099-06-02', '17:00')).toISOString()}"`,
  )
  const { organization } = writer.person
  const reader = desk.person({ organization, permissions: ['posts:read', 'calendar:read'] })
  const readOnly = await reader.draw(query)
  expect(readOnly).toContain('At 2099-06-02T09:00')
  expect(readOnly).not.toContain('/api/queue/moves')
  const form = await writer.person.draw(`GET /workspace/queue/${post.id}/move`)
  expect(form).toContain('Tue 2 Jun 17:00, free')
  expect(form).toContain('swap with “At 2099-06-03T09:00”')
  expect(other.status).toBe('scheduled')
})

test('SOC-16 form without scripts moves a post and leads back to its days, and shows itself again with what is wrong', async () => {
  const writer = await openWriter()
  const post = await schedule(writer, '2099-06-02T09:00')
  const send = (to: string, referer: string) =>
    writer.person.send('POST /api/queue/moves', new URLSearchParams({ postId: post.id, to, version: '1' }), {
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-site': 'same-origin',
      accept: 'text/html',
      referer: `http://localhost${referer}`,
    })
  const page = `/workspace/queue?brandId=${writer.brand.id}`
  const moved = await send(slot('2099-06-03'), `${page}&date=2099-06-01`)
  expect([moved.status, moved.headers.get('location')]).toEqual([303, `${page}&date=2099-06-01#event-${post.id}`])
  const outdated = await send(slot('2099-06-05'), `/workspace/queue/${post.id}/move`)
  expect(outdated.status).toBe(409)
  const again = await outdated.text()
  expect(again).toContain('Move post to a slot')
  expect(again).toContain('Someone else changed this post')
})

test('SOC-16 move is undone by its toast: to a slot by another move, to a time outside of the slots in the calendar', async () => {
  const writer = await openWriter()
  const undoOf = async (postId: string, to: string) => {
    const response = await writer.person.send('POST /api/queue/moves', { postId, to }, { 'hx-request': 'true' })
    return JSON.parse(response.headers.get('hx-trigger') ?? '{}').toast
  }
  const post = await schedule(writer, '2099-06-02T09:00')
  expect(await undoOf(post.id, slot('2099-06-03'))).toMatchObject({
    message: 'Moved to Wed 3 Jun 09:00',
    undo: {
      method: 'POST',
      href: '/api/queue/moves',
      body: { to: new Date(slot('2099-06-02')).toISOString(), version: 2 },
    },
  })
  const outside = await schedule(writer, '2099-06-02T12:00')
  expect(await undoOf(outside.id, slot('2099-06-04'))).toMatchObject({
    undo: { method: 'PATCH', href: `/api/calendar/${outside.id}`, body: { version: 2 } },
  })
  const third = await schedule(writer, '2099-06-02T13:00')
  const { message, undo } = await undoOf(third.id, slot('2099-06-04'))
  expect([message, undo]).toEqual(['Moved to Thu 4 Jun 09:00, swapped with 1 post', undefined])
})
