import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Connection, Post } from '#social/types'
import { newId } from '#lib/ids.ts'
import { providers } from '../../src/social/contract.ts'
import { openSocialServer, type SocialServer, type Person, type ProblemBody } from './social-server.ts'
import { inMinutes, createWriter, type Writer } from './writer.ts'

let desk: SocialServer
let ada: Writer
beforeAll(async () => {
  desk = await openSocialServer()
  ada = await createWriter(desk)
})
afterAll(() => desk.close())

/** Rows of the tables that a submission writes to. */
async function rows(): Promise<number> {
  const tables = ['social.posts', 'platform.audit_log']
  const counts = await Promise.all(
    tables.map((table) => desk.database.sql.unsafe<{ n: number }[]>(`SELECT count(*)::int AS n FROM ${table}`)),
  )
  return counts.reduce((sum, [row]) => sum + (row?.n ?? 0), 0)
}

/** Page targets for drafts: `count` places of one network. */
const pages = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ provider: 'facebook', target: { pageId: `${at}` } }))
const parts = (count: number, text = 'x') => Array.from({ length: count }, () => ({ text }))

const submit = <Answer>(values: Record<string, unknown>) =>
  ada.person.fetch<Answer>('POST /api/posts', { brandId: ada.brand.id, ...values })

const tooMany = [
  ['50 targets with 70 parts', { targets: pages(50), thread: parts(70) }, 'targets'],
  ['2 targets with 48 parts', { targets: pages(2), thread: parts(48) }, 'targets'],
  ['a thread of 96 parts', { provider: 'sandbox', thread: parts(96) }, 'thread'],
] as const
test.each(tooMany)('SOC-45 %s are rejected with the limit, and nothing is stored', async (_, values, path) => {
  const before = await rows()
  const reported = await submit<ProblemBody>(values)
  expect([reported.status, reported.body.errors.map((error) => error.path)]).toEqual([
    422,
    expect.arrayContaining([path]),
  ])
  expect(reported.body.errors[0]?.message).toContain('at most 95 posts')
  expect(await rows()).toBe(before)
})

const largest = [
  ['a thread of 95 scheduled parts', { provider: 'sandbox', thread: parts(95), status: 'scheduled' }],
  ['5 targets with 19 parts', { targets: pages(5), thread: parts(19) }],
  ['50 targets', { targets: pages(50), text: 'x' }],
] as const
test.each(largest)('SOC-45 %s are stored, in fewer than 200 rows', async (_, values) => {
  const before = await rows()
  const when = 'status' in values ? { scheduledAt: inMinutes(60) } : {}
  const reported = await submit<{ items: Post[] }>({ ...values, ...when })
  expect([reported.status, reported.body.items.length]).toEqual([201, 'text' in values ? 50 : 95])
  // An Idempotency-Key, the rate limit and the credential add a row each.
  expect((await rows()) - before).toBeLessThan(197)
})

test('SOC-45 texts over 1 MB in all targets together are rejected', async () => {
  const targets = providers.map((provider) => ({ provider }))
  const before = await rows()
  const reported = await submit<ProblemBody>({ targets, text: 'é'.repeat(70_000) })
  expect([reported.status, reported.body.errors]).toMatchObject([422, [{ path: 'text' }]])
  expect(reported.body.errors[0]?.message).toContain('at most 1 MB')
  expect(await rows()).toBe(before)
  const fewer = await submit<{ items: Post[] }>({ targets: targets.slice(0, 7), text: 'é'.repeat(70_000) })
  expect([fewer.status, JSON.stringify(fewer.body).length < 1_100_000]).toEqual([201, true])
})

async function connect(person: Person, handle: string): Promise<Connection> {
  const form = { brandId: ada.brand.id, handle }
  return (await person.fetch<{ connection: Connection }>('POST /api/integrations/sandbox/connect', form)).body
    .connection
}

test('SOC-45 duplicate account is one target', async () => {
  const colleague = desk.person({ organization: { id: ada.person.organizationId, slug: 'acme', role: 'owner' } })
  const handle = `twice-${newId().slice(-12)}`
  const [mine, theirs] = [await connect(ada.person, handle), await connect(colleague, handle)]
  const named = ({ id }: Connection) => ({ provider: 'sandbox', target: { connectionId: id } })
  for (const targets of [
    [named(mine), named(mine)],
    [named(mine), named(theirs)],
    [{ provider: 'sandbox' }, { provider: 'sandbox', text: 'Own' }],
    [...pages(1), ...pages(1)],
  ]) {
    const reported = await submit<ProblemBody>({ targets, text: 'Hello' })
    expect([reported.status, reported.body.errors]).toMatchObject([422, [{ path: 'targets.1' }]])
  }
  const two = await submit({ targets: [named(mine), named(ada.connection)], text: 'Hello' })
  expect(two.status).toBe(201)
})

interface Refusal {
  errors: { path: string; message: string }[]
}

test('SOC-45 target with a thread of its own gets that one, and the others get the shared text', async () => {
  const { status, body } = await submit<{ items: Post[] }>({
    text: 'Shared',
    targets: [
      { provider: 'sandbox', thread: [{ text: 'One' }, { text: 'Two' }] },
      { provider: 'bluesky' },
      { provider: 'x', thread: [{ text: 'Alone' }] },
    ],
  })
  expect(status).toBe(201)
  expect(body.items.map(({ provider, position, text }) => [provider, position, text])).toEqual([
    ['sandbox', 0, 'One'],
    ['sandbox', 1, 'Two'],
    ['bluesky', 0, 'Shared'],
    ['x', 0, 'Alone'],
  ])
  const [one, two, shared, alone] = body.items
  expect([one?.threadId === two?.threadId, typeof one?.threadId]).toEqual([true, 'string'])
  expect([shared?.threadId, alone?.threadId]).toEqual([null, null])
  expect(new Set(body.items.map(({ groupId }) => groupId)).size).toBe(1)
})

test('SOC-45 shared thread is a single post where a target has its own text', async () => {
  const { body } = await submit<{ items: Post[] }>({
    thread: [{ text: 'One' }, { text: 'Two' }],
    targets: [{ provider: 'sandbox' }, { provider: 'instagram', thread: [{ text: 'As one caption' }] }],
  })
  expect(body.items.map(({ provider, text, threadId }) => [provider, text, threadId === null])).toEqual([
    ['sandbox', 'One', false],
    ['sandbox', 'Two', false],
    ['instagram', 'As one caption', true],
  ])
})

const unclear = [
  [
    'text and thread',
    { text: 'A', targets: [{ provider: 'x', text: 'B', thread: [{ text: 'C' }] }] },
    'targets.0.thread',
  ],
  [
    'text in a request with a thread',
    { thread: [{ text: 'A' }], targets: [{ provider: 'x', text: 'B' }] },
    'targets.0.text',
  ],
  ['no text', { targets: [{ provider: 'x', thread: [{ text: 'A' }] }, { provider: 'bluesky' }] }, 'text'],
  [
    'an empty text of its own',
    { text: 'A', targets: [{ provider: 'x', thread: [{ text: '' }] }] },
    'targets.0.thread.0.text',
  ],
  ['96 posts', { text: 'A', targets: [{ provider: 'x', thread: parts(95) }, { provider: 'bluesky' }] }, 'targets'],
] as const
test.each(unclear)('SOC-45 target with %s is rejected, naming the field', async (_, values, path) => {
  const before = await rows()
  const { status, body } = await submit<Refusal>(values)
  expect([status, body.errors.map((error) => error.path)]).toEqual([422, [path]])
  expect(await rows()).toBe(before)
})

test('SOC-14 own thread of a target is held to the limits of its network, naming its post', async () => {
  const target = { provider: 'sandbox', thread: [{ text: 'Short' }, { text: 'x'.repeat(501) }] }
  const { status, body } = await submit<Refusal>({
    text: 'Shared',
    targets: [target],
    status: 'scheduled',
    scheduledAt: inMinutes(60),
  })
  expect([status, body.errors]).toMatchObject([422, [{ path: 'targets.0.thread.1.text' }]])
})
