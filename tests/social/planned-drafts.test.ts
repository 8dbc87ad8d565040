import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Calendar, Post, Queue, SlotList } from '#social/types'
import { openSocialServer, type ProblemBody, type SocialServer } from './social-server.ts'
import { createWriter, inMinutes, type Writer } from './writer.ts'
import { all, createTeam, decide } from './review-team.ts'

let desk: SocialServer
let ada: Writer
beforeAll(async () => {
  desk = await openSocialServer()
  ada = await createWriter(desk, desk.person({ permissions: [...all, 'calendar:read'] }))
})
afterAll(() => desk.close())

const plan = async (scheduledAt: string, more: object = {}) =>
  (await ada.write({ status: 'draft', scheduledAt, ...more })).body
const read = async (id: string) => (await ada.person.fetch<Post>(`GET /api/posts/${id}`)).body
const passed = (id: string) =>
  desk.database.sql`UPDATE social.posts SET scheduled_at = now() - interval '1 minute' WHERE id = ${id}`

test('SOC-10 draft keeps its planned time in the zone of its brand, through edits, and loses it with null', async () => {
  const { id, ...draft } = await plan('2099-06-02T09:00')
  expect(draft).toMatchObject({ status: 'draft', scheduledAt: '2099-06-02T07:00:00.000Z' })
  for (const change of [{ text: 'Edited' }, { status: 'draft', text: 'Edited again' }])
    expect((await ada.change(id, change)).body.scheduledAt).toBe(draft.scheduledAt)
  const moved = await ada.change(id, { status: 'draft', scheduledAt: '2099-06-03T09:00', timeZone: 'America/New_York' })
  expect(moved.body.scheduledAt).toBe('2099-06-03T13:00:00.000Z')
  expect((await ada.change(id, { scheduledAt: null })).body).toMatchObject({ status: 'draft', scheduledAt: null })
})

test('SOC-10 form clears the planned time of a draft with an empty field, and leaves it with an empty date', async () => {
  const { id } = await plan('2099-06-02T09:00')
  expect(
    (await ada.change(id, { status: 'draft', scheduledAt: { date: '', time: '' } })).body.scheduledAt,
  ).not.toBeNull()
  expect((await ada.change(id, { status: 'draft', scheduledAt: '' })).body.scheduledAt).toBeNull()
})

test('SOC-13 draft is scheduled for its planned time without another one, and not once that has passed', async () => {
  const future = await plan(inMinutes(60))
  const scheduled = await ada.change(future.id, { status: 'scheduled' })
  expect(scheduled.body).toMatchObject({ status: 'scheduled', scheduledAt: future.scheduledAt })
  const late = await plan(inMinutes(60))
  await passed(late.id)
  const refused = await ada.change<ProblemBody>(late.id, { status: 'scheduled' })
  expect([refused.status, refused.body.errors]).toEqual([
    422,
    [{ path: 'scheduledAt', message: 'Its planned time has passed. Choose a new one.' }],
  ])
  expect((await ada.change(late.id, { text: 'Still a draft' })).status).toBe(200)
  expect((await ada.change(late.id, { status: 'scheduled', scheduledAt: inMinutes(5) })).body.status).toBe('scheduled')
})

test('SOC-13 scheduled post becomes a draft without a time, or with the planned time that is sent', async () => {
  const [one, two] = [await ada.scheduled(), await ada.scheduled()]
  expect((await ada.change(one.id, { status: 'draft' })).body.scheduledAt).toBeNull()
  const kept = await ada.change(two.id, { status: 'draft', scheduledAt: two.scheduledAt })
  expect(kept.body).toMatchObject({ status: 'draft', scheduledAt: two.scheduledAt })
})

test('SOC-16 planned time that clocks skip is refused, and one that has passed is stored', async () => {
  const skipped = await ada.write<ProblemBody>({
    status: 'draft',
    scheduledAt: '2099-03-29T02:30',
    timeZone: 'Europe/Berlin',
  })
  expect([skipped.status, skipped.body.errors[0]?.path]).toEqual([422, 'scheduledAt'])
  expect((await plan('2020-01-31T10:00')).scheduledAt).toBe('2020-01-31T09:00:00.000Z')
})

test('SOC-16 draft takes the next free slot, which is then taken for posts, other drafts and the queue', async () => {
  const writer = await createWriter(desk, desk.person({ permissions: [...all, 'calendar:read'] }))
  const { id: brandId } = writer.brand
  const days = [1, 2, 3, 4, 5, 6, 7]
  await writer.person.fetch(`PUT /api/brands/${brandId}`, { queueSlots: days.map((day) => ({ day, time: '09:00' })) })
  const slots = (await writer.person.fetch<SlotList>(`GET /api/brands/${brandId}/queue-slots?limit=3`)).body.items
  const [first, second, third] = slots.map(({ at }) => at)
  const take = async (status: string) => (await writer.write({ status, scheduledAt: 'next-slot' })).body.scheduledAt
  expect(await take('draft')).toBe(first ?? '')
  expect(await take('draft')).toBe(second ?? '')
  expect(await take('scheduled')).toBe(third ?? '')
  const queue = (await writer.person.fetch<Queue>(`GET /api/queue?brandId=${brandId}`)).body
  const [taken] = queue.items.filter(({ at }) => at === first)
  expect(taken).toMatchObject({ isFree: false, posts: [{ status: 'draft', can: { move: false } }] })
})

test('SOC-34 calendar shows a planned draft with the state of its review, moves it as a draft, and filters drafts', async () => {
  const { id } = await plan('2099-08-03T09:00', { text: 'August', requestReview: true })
  await plan('2099-08-04T09:00', { status: 'scheduled' })
  await ada.draft('No time')
  const of = async (query = '') =>
    (
      await ada.person.fetch<Calendar>(
        `GET /api/calendar?brandId=${ada.brand.id}&from=2099-08-01&to=2099-08-31${query}`,
      )
    ).body.items
  expect((await of()).map(({ status }) => status)).toEqual(['draft', 'scheduled'])
  expect(await of('&status=draft')).toMatchObject([
    { id, reviewState: 'requested', localTime: '2099-08-03T09:00', can: { move: true } },
  ])
  const moved = await ada.person.fetch<Post>(`PATCH /api/calendar/${id}`, { date: '2099-08-10' })
  expect(moved.body).toMatchObject({
    status: 'draft',
    scheduledAt: '2099-08-10T07:00:00.000Z',
    reviewState: 'requested',
  })
})

test('SOC-34 moving a planned draft needs no permission to write', async () => {
  const { id } = await plan('2099-08-05T09:00')
  const { organization } = ada.person
  const planner = desk.person({ organization, permissions: ['posts:read', 'calendar:write'] })
  expect((await planner.fetch(`PATCH /api/calendar/${id}`, { date: '2099-08-06' })).status).toBe(200)
})

test('SOC-34 planned parts of a thread move together and stay drafts', async () => {
  const thread = { text: undefined, thread: [{ text: 'One' }, { text: 'Two' }] }
  const { items } = (
    await ada.write<{ items: Post[] }>({ ...thread, status: 'draft', scheduledAt: '2099-08-07T09:00' })
  ).body
  await ada.person.fetch(`PATCH /api/calendar/${items[0]?.id}`, { date: '2099-08-08' })
  for (const { id } of items)
    expect(await read(id)).toMatchObject({ status: 'draft', scheduledAt: '2099-08-08T07:00:00.000Z' })
})

test('SOC-32 one request saves a submission with its planned time and requests its review', async () => {
  const sent = { text: 'Plan', status: 'draft', scheduledAt: '2099-06-02T09:00', requestReview: true }
  const targets = [{ provider: 'sandbox' }, { provider: 'x' }]
  const { items } = (await ada.write<{ items: Post[] }>({ ...sent, provider: undefined, targets })).body
  expect(items.map(({ reviewState, status }) => [reviewState, status])).toEqual([
    ['requested', 'draft'],
    ['requested', 'draft'],
  ])
  const draft = await ada.draft()
  const edited = await ada.change(draft.id, { ...sent, text: 'Edited' })
  expect(edited.body).toMatchObject({ text: 'Edited', reviewState: 'requested', scheduledAt: items[0]?.scheduledAt })
})

test('SOC-32 refused request for a review leaves the post as it was', async () => {
  const draft = await ada.draft('As it was')
  await desk.database.sql`
    UPDATE social.posts SET review_state = 'changes_requested', review_state_at = now() WHERE id = ${draft.id}`
  const refused = await ada.change<ProblemBody>(draft.id, { tags: ['new'], requestReview: true })
  expect([refused.status, refused.body.code]).toEqual([409, 'changes_requested'])
  expect(await read(draft.id)).toMatchObject({ tags: [], version: draft.version })
})

test('SOC-32 author is told what an approval did to the planned time, and to choose another one once it has passed', async () => {
  const team = await createTeam(desk)
  const approve = async (isPassed: boolean) => {
    const { body } = await team.write({ status: 'draft', scheduledAt: inMinutes(60), requestReview: true })
    if (isPassed) await passed(body.id)
    const review = (await decide(team.ben, body)).body
    const [notice] = await desk.database.sql`
      SELECT title, reason, actions -> 0 ->> 'label' AS label FROM platform.raised_actions
      WHERE cause LIKE ${`%decided:${review.id}:${team.person.id}`}`
    return notice
  }
  expect(await approve(false)).toEqual({
    title: 'A post for Acme Coffee was approved and scheduled',
    reason: expect.stringMatching(/^It will be published on .*“Hello”$/),
    label: 'See the post',
  })
  expect(await approve(true)).toEqual({
    title: 'A post for Acme Coffee was approved, but not scheduled',
    reason: 'Its planned time has passed: choose a new one. “Hello”',
    label: 'Choose a time',
  })
})

test('SOC-40 API key plans a post and requests its review, which schedules it as for a person', async () => {
  const team = await createTeam(desk)
  const key = desk.person({
    organization: team.person.organization,
    permissions: ['posts:read', 'posts:write'],
    key: 'live',
  })
  const draft = { brandId: team.brand.id, provider: 'sandbox', text: 'By a program', status: 'draft' }
  const planned = { ...draft, scheduledAt: inMinutes(60), requestReview: true }
  const { body } = await key.fetch<Post>('POST /api/posts', planned)
  expect(body).toMatchObject({ status: 'draft', reviewState: 'requested' })
  expect((await decide(team.ben, body)).status).toBe(201)
  const after = (await key.fetch<Post>(`GET /api/posts/${body.id}`)).body
  expect(after).toMatchObject({ status: 'scheduled', scheduledAt: body.scheduledAt })
})

test.each(['0001-01-01T00:00', '1969-12-30T09:00'])(
  'SOC-10 planned time %s, before the times that can be stored, is 422',
  async (scheduledAt) => {
    const refused = await ada.write<ProblemBody>({ status: 'draft', scheduledAt, timeZone: 'Asia/Tokyo' })
    expect([refused.status, refused.body.errors?.[0]?.path]).toEqual([422, 'scheduledAt'])
  },
)

test('SOC-34 moving a planned part of a thread gives parts without a time none', async () => {
  const thread = await ada.write<{ items: Post[] }>({ text: undefined, thread: [{ text: 'One' }, { text: 'Two' }] })
  const [one, two] = thread.body.items
  await ada.change(one?.id ?? '', { status: 'draft', scheduledAt: inMinutes(60) })
  const moved = await ada.person.fetch(`PATCH /api/calendar/${one?.id}`, { scheduledAt: inMinutes(120) })
  expect(moved.status).toBe(200)
  expect(await read(two?.id ?? '')).toMatchObject({ status: 'draft', scheduledAt: null })
})
