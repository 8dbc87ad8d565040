import { afterAll, beforeAll, expect, spyOn, test } from 'bun:test'
import postgres from 'postgres'
import type { PostCorrection } from '#social/types'
import { eventually } from '../boot/program.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { newPublisher, type Post, type Publisher } from '../support/publisher.ts'
import { directAddress } from '#lib/postgres/pool.ts'
import { networkOf } from '../../src/social/networks/index.ts'
import { serveSandbox, type SandboxServer } from '../../src/social/sandbox/server.ts'
import { serveInProcess, type Server } from '../support/serve-in-process.ts'

let database: TestDatabase
let server: Server
let sandbox: SandboxServer
let sql: postgres.Sql
let ada: Publisher

beforeAll(async () => {
  database = await freshDatabase()
  // Jobs have no request with the server's port.
  sandbox = serveSandbox({ at: directAddress(database.url), port: 0 })
  const env = { PROVIDER_TIMEOUT_MS: '1500', SANDBOX_URL: sandbox.url }
  server = await serveInProcess({ databaseUrl: database.url, env })
  sql = postgres(database.url, { max: 2 })
  ada = await newPublisher(server.url)
})

afterAll(async () => {
  await sql.end()
  await server.stop()
  await sandbox.stop()
  await database.drop()
})

const published = ({ status }: Post) => status === 'published'

async function publish(handle: string, text = 'Back from Munday'): Promise<Post> {
  const connectionId = await ada.connect(handle)
  const { id } = await ada.post({ text, status: 'scheduled', scheduledAt: 'now', target: { connectionId } })
  return ada.until(id, published)
}

const correct = <Answer = PostCorrection>({ id }: { id: string }, body: object, status = 200) =>
  ada.call<Answer>('POST', `/api/posts/${id}/corrections`, body, status)
const historyOf = async ({ id }: { id: string }) =>
  (await ada.call<{ items: PostCorrection[] }>('GET', `/api/posts/${id}/corrections`)).items
const textsOf = async (handle: string) => (await ada.received(handle)).map(({ text }) => text)

test('SOC-48 published post is corrected on its network, and its history has texts, author and reason', async () => {
  const post = await publish('corrected')
  const correction = await correct(post, { text: 'Back from Monday', reason: 'Typo', version: post.version })
  expect(correction).toMatchObject({
    formerText: 'Back from Munday',
    text: 'Back from Monday',
    reason: 'Typo',
    state: 'corrected',
    failureCode: null,
  })
  expect(correction.authorName).toBeString()
  expect(await textsOf('corrected')).toEqual(['Back from Monday'])
  const after = await ada.call<Post & { can: { correct: boolean } }>('GET', `/api/posts/${post.id}`)
  expect(after).toMatchObject({ text: 'Back from Monday', status: 'published', version: post.version + 1 })
  expect(after.platformPostId).toBe(post.platformPostId)
  expect(after.can.correct).toBe(true)
  expect(await historyOf(post)).toEqual([correction])
  expect(await updaterOf(post)).toBe(correction.authorId)
  const logged = await sql`SELECT after FROM platform.audit_log WHERE object_kind = 'post' AND object_id = ${post.id}
    AND operation = 'correctPost'`
  expect(logged).toHaveLength(1)
})

const updaterOf = async ({ id }: Post) =>
  (await sql<{ by: string | null }[]>`SELECT updated_by AS by FROM social.posts WHERE id = ${id}`)[0]?.by
const authorOf = async ({ id }: Post) =>
  (await sql<{ by: string }[]>`SELECT author_id AS by FROM social.posts WHERE id = ${id}`)[0]?.by ?? ''

test('SOC-48 person who deletes a post from its network is stored as the last who changed it', async () => {
  const post = await publish('deleted')
  expect(await updaterOf(post)).toBeNull()
  await ada.call('DELETE', `/api/posts/${post.id}/publication`)
  expect(await updaterOf(post)).toBe(await authorOf(post))
})

test('SOC-48 same correction again changes nothing, and the present text is refused', async () => {
  const post = await publish('repeated')
  const first = await correct(post, { text: 'Once' })
  expect(await correct(post, { text: 'Once' })).toEqual(first)
  expect(await historyOf(post)).toHaveLength(1)
  const other = await publish('same')
  const refused = await correct<{ errors: { path: string }[] }>(other, { text: other.text }, 422)
  expect(refused.errors[0]?.path).toBe('text')
})

test('SOC-48 correction is refused when it is too long, outdated, or of a post that isn’t on its network', async () => {
  const post = await publish('refused')
  const long = await correct<{ errors: { path: string }[] }>(post, { text: 'x'.repeat(501) }, 422)
  expect(long.errors[0]?.path).toBe('text')
  const outdated = await correct<{ code: string }>(post, { text: 'New', version: post.version + 1 }, 409)
  expect(outdated.code).toBe('version_conflict')
  const draft = await ada.post({ text: 'Draft' })
  expect(await correct<{ code: string }>(draft, { text: 'New' }, 409)).toMatchObject({ code: 'not_published' })
  await ada.call('DELETE', `/api/posts/${post.id}/publication`)
  expect(await correct<{ code: string }>(post, { text: 'New' }, 409)).toMatchObject({ code: 'not_published' })
  expect(await historyOf(post)).toEqual([])
  const stranger = await newPublisher(server.url)
  await stranger.call('POST', `/api/posts/${post.id}/corrections`, { text: 'New' }, 404)
  await stranger.call('GET', `/api/posts/${post.id}/corrections`, undefined, 404)
})

test('SOC-48 correction is refused with a code when the network of the post takes none', async () => {
  const post = await publish('unsupported')
  await sql`UPDATE social.posts SET provider = 'x' WHERE id = ${post.id}`
  const refused = await correct<{ code: string; detail: string }>(post, { text: 'New' }, 409)
  expect(refused.code).toBe('correction_not_supported')
  expect(refused.detail).toStartWith('Atrium can’t correct published posts on X.')
  const read = await ada.call<{ can: { correct: boolean }; correctionNote: null }>('GET', `/api/posts/${post.id}`)
  expect([read.can.correct, read.correctionNote]).toEqual([false, null])
})

test('SOC-48 post on Instagram, Threads or TikTok is not deletable: no menu offers it, and the API says where to delete it', async () => {
  const post = await publish('not-deletable')
  const headers = { authorization: `Bearer ${ada.token}`, accept: 'text/html' }
  const menu = async () => (await fetch(`${server.url}/workspace/posts/${post.id}`, { headers })).text()
  expect(await menu()).toContain('Delete from Sandbox')
  for (const [provider, name] of Object.entries({ instagram: 'Instagram', threads: 'Threads', tiktok: 'TikTok' })) {
    await sql`UPDATE social.posts SET provider = ${provider} WHERE id = ${post.id}`
    const read = await ada.call<Post & { can: { withdraw: boolean } }>('GET', `/api/posts/${post.id}`)
    expect(read.can.withdraw).toBe(false)
    expect(await ada.call('DELETE', `/api/posts/${post.id}/publication`, undefined, 409)).toMatchObject({
      code: 'not_deletable',
      detail: `Atrium can’t delete posts on ${name}. Delete it in the ${name} app.`,
    })
    expect(await menu()).not.toContain('Delete from')
  }
})

test('SOC-48 refused correction keeps the post and is in its history', async () => {
  const post = await publish('failing')
  await ada.behave('failing', { mode: 'fail', status: 403, times: 1 })
  const refused = await correct<{ code: string }>(post, { text: 'New' }, 502)
  expect(refused.code).toBe('provider_refused')
  expect(await historyOf(post)).toMatchObject([{ state: 'failed', failureCode: 'provider_refused', text: 'New' }])
  const kept = await ada.call<Post>('GET', `/api/posts/${post.id}`)
  expect([kept.text, kept.version]).toEqual([post.text, post.version])
  expect((await correct(post, { text: 'New' })).state).toBe('corrected')
})

test('SOC-48 correction whose response is lost is found by reading the post', async () => {
  const post = await publish('lost')
  await ada.behave('lost', { mode: 'lose_answer', times: 1 })
  expect(await correct(post, { text: 'Arrived' })).toMatchObject({ state: 'corrected' })
  expect(await textsOf('lost')).toEqual(['Arrived'])
})

test('SOC-48 correction that never arrived is sent once more', async () => {
  const post = await publish('silent')
  await ada.behave('silent', { mode: 'timeout', times: 1 })
  expect(await correct(post, { text: 'Second try' })).toMatchObject({ state: 'corrected' })
  expect(await textsOf('silent')).toEqual(['Second try'])
})

test('SOC-48 correction that can’t be confirmed is unknown, and can be sent again', async () => {
  const post = await publish('unreadable')
  await ada.behave('unreadable', { mode: 'lose_answer', times: 1, readBack: false })
  expect(await correct<{ code: string }>(post, { text: 'Perhaps' }, 502)).toMatchObject({ code: 'outcome_unknown' })
  expect(await historyOf(post)).toMatchObject([{ state: 'unknown', failureCode: 'outcome_unknown' }])
  await ada.behave('unreadable', { mode: 'ok' })
  expect(await correct(post, { text: 'Perhaps' })).toMatchObject({ state: 'corrected' })
})

test('SOC-48 correction is not sent again once another server can settle it', async () => {
  const post = await publish('slow')
  await ada.behave('slow', { mode: 'timeout', times: 1 })
  const corrections = networkOf('sandbox')?.corrections
  if (!corrections) throw new Error('The sandbox has no corrections')
  using sent = spyOn(corrections, 'correct')
  using check = spyOn(corrections, 'check').mockImplementation(async () => {
    await Bun.sleep(3.2 * 1_500)
    return { kind: 'not_corrected' }
  })
  const refused = await correct<{ code: string }>(post, { text: 'Too late' }, 502)
  expect([refused.code, sent.mock.calls.length]).toEqual(['outcome_unknown', 1])
  expect(check).toHaveBeenCalled()
})

test('SOC-48 settled correction keeps its outcome when its first server finishes later', async () => {
  const post = await publish('settled')
  await ada.behave('settled', { mode: 'ok', latencyMs: 1_000 })
  const late = correct<{ code: string }>(post, { text: 'Late' }, 502)
  const isSending = async () => (await historyOf(post))[0]?.state === 'sending'
  expect(await eventually(isSending)).toBe(true)
  await sql`UPDATE social.post_corrections SET state = 'failed', failure_code = 'answer_lost', failure_message = 'Lost.',
    settled_at = now() WHERE post_id = ${post.id}`
  expect((await late).code).toBe('answer_lost')
  expect(await historyOf(post)).toMatchObject([{ state: 'failed', failureCode: 'answer_lost' }])
  expect((await ada.call<Post>('GET', `/api/posts/${post.id}`)).text).toBe(post.text)
})

test('SOC-48 of simultaneous corrections one is made at a time', async () => {
  const post = await publish('racing')
  await ada.behave('racing', { mode: 'ok', latencyMs: 300 })
  const send = (text: string) =>
    fetch(`${server.url}/api/posts/${post.id}/corrections`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ada.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ text }),
    })
  const responses = await Promise.all(['One', 'Two', 'Three'].map(send))
  expect(responses.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409, 409])
  const history = await historyOf(post)
  expect(history).toHaveLength(1)
  expect(await textsOf('racing')).toEqual([history[0]?.text ?? ''])
})

test('SOC-48 correction of a server that stopped is settled by reading the post', async () => {
  const [arrived, missing] = [await publish('stopped-after'), await publish('stopped-before')]
  for (const { id } of [arrived, missing])
    await sql`INSERT INTO social.post_corrections (id, brand_id, post_id, author_id, former_text, text)
      SELECT gen_random_uuid(), brand_id, id, author_id, text, 'Corrected' FROM social.posts WHERE id = ${id}`
  await sql`UPDATE social.sandbox_receipts SET text = 'Corrected' WHERE id = ${arrived.platformPostId ?? ''}`
  const busy = await correct<{ code: string }>(arrived, { text: 'Other' }, 409)
  expect(busy.code).toBe('correction_in_progress')
  for (const post of [arrived, missing])
    await sql`INSERT INTO pgboss.job (name, data)
      SELECT 'social.settle-correction', jsonb_build_object('id', id) FROM social.post_corrections
      WHERE post_id = ${post.id}`
  const settled = async () => (await historyOf(missing))[0]?.state !== 'sending'
  expect(await eventually(settled)).toBe(true)
  expect(await eventually(async () => (await historyOf(arrived))[0]?.state === 'corrected')).toBe(true)
  expect(await historyOf(missing)).toMatchObject([{ state: 'failed', failureCode: 'answer_lost' }])
  const text = async ({ id }: Post) => (await ada.call<Post>('GET', `/api/posts/${id}`)).text
  expect([await text(arrived), await text(missing)]).toEqual(['Corrected', 'Back from Munday'])
})

test('SOC-49 API key can’t correct a post of a brand that requires approvals', async () => {
  const post = await publish('approved')
  await sql`UPDATE social.brands SET review_policy = '{"approvals": 1}' WHERE id = ${ada.brandId}`
  const scopes = ['posts.read', 'posts.write']
  const draft = { name: 'Corrector', service: 'platform-socialize', scopes }
  const { key: secret } = await ada.call<{ key: string }>('POST', '/api/api-keys', draft, 201)
  const response = await fetch(`${server.url}/api/posts/${post.id}/corrections`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ text: 'New' }),
  })
  expect([response.status, await response.json()]).toMatchObject([409, { code: 'approval_required' }])
  expect(await textsOf('approved')).toEqual([post.text])
  await sql`UPDATE social.brands SET review_policy = '{"approvals": 0}' WHERE id = ${ada.brandId}`
})

test('SOC-49 author can’t approve a post by correcting it, unless the policy counts authors and needs one approval', async () => {
  const post = await publish('own')
  const withPolicy = (policy: object) =>
    sql`UPDATE social.brands SET review_policy = ${sql.json({ ...policy })} WHERE id = ${ada.brandId}`
  const tryCorrection = (status: number) =>
    ada.call<{ code: string }>('POST', `/api/posts/${post.id}/corrections`, { text: 'New' }, status)
  for (const policy of [{ approvals: 1 }, { approvals: 2, allowAuthor: true }]) {
    await withPolicy(policy)
    expect((await tryCorrection(409)).code).toBe('approval_required')
  }
  expect(await textsOf('own')).toEqual([post.text])
  await withPolicy({ approvals: 1, allowAuthor: true })
  await tryCorrection(200)
  expect(await textsOf('own')).toEqual(['New'])
  await withPolicy({ approvals: 0 })
})
