import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { conflict, Problem } from '#lib/errors.ts'
import { describeFieldErrors } from '#lib/request/field-error.ts'
import { Id } from '#lib/ids.ts'
import { checkInput, fieldErrors } from '#lib/request/input.ts'
import { operation } from '#lib/operation.ts'
import { known, openKernel, type Kernel } from './kernel.tsx'

const secret = 'hunter2-hunter2'

/** Writes the note, then does what its text says. */
const write = operation({
  route: 'POST /api/notes',
  summary: 'Write a note',
  permission: 'public',
  input: z.object({ text: z.string().min(3).max(200), tags: z.array(z.string()).default([]) }),
  output: z.object({ text: z.string() }),
  run: async ({ db, input: { text } }) => {
    await db.execute(sql`INSERT INTO notes VALUES (${text})`)
    if (text === 'conflict') throw conflict('note_taken', 'This note is taken.', { allowed: ['another'] })
    if (text === 'crash') throw new Error(`Crashed while holding ${secret}`)
    if (text === 'busy') throw new Problem(429, 'too_many', 'Slow down.', { headers: { 'Retry-After': '7' } })
    if (text === 'twice') await db.execute(sql`SELECT ${secret}::integer`)
    if (text === 'wrapped')
      await db.execute(sql`SELECT ${secret}::integer`).catch((cause: unknown) => {
        throw new Error('Could not count', { cause })
      })
    return text === 'unfit' ? ({ wrong: secret } as never) : { text }
  },
})
const read = operation({
  route: 'GET /api/notes/:id',
  summary: 'One note',
  permission: 'notes:read',
  input: z.object({ id: z.uuid(), limit: z.coerce.number().max(9).default(1), note: z.string().optional() }),
  output: z.object({ id: z.string() }),
  run: async ({ input }) => ({ id: input.id }),
})
const change = operation({
  route: 'PATCH /api/notes/:id',
  summary: 'Change a note',
  permission: 'notes:write',
  input: z.strictObject({ id: z.uuid() }),
  output: z.object({}),
  run: async () => ({}),
})

let kernel: Kernel
beforeAll(async () => {
  kernel = await openKernel({ operations: { write, read, change } })
})
afterAll(() => kernel.close())

const asJson = { 'content-type': 'application/json' }
const post = (body: unknown, headers: Record<string, string> = {}) =>
  kernel.fetch('POST /api/notes', { ...asJson, ...headers }, JSON.stringify(body))

test('PLT-10 problem is application/problem+json with a stable code, the request ID and its own members', async () => {
  const answer = await post({ text: 'conflict' })
  expect([answer.status, answer.headers.get('content-type')]).toEqual([409, 'application/problem+json'])
  expect(await answer.json()).toEqual({
    type: 'urn:atrium:problem:note_taken',
    title: 'Conflict',
    status: 409,
    detail: 'This note is taken.',
    code: 'note_taken',
    requestId: answer.headers.get('x-request-id'),
    allowed: ['another'],
  })
})

test('PLT-10 HTML problem is a fragment for htmx and a full page for a navigation', async () => {
  for (const [headers, whole] of [
    [{ 'hx-request': 'true' }, 'false'],
    [{ accept: 'text/html' }, 'true'],
  ] as const) {
    const answer = await post({ text: 'conflict' }, headers)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([409, 'text/html; charset=utf-8'])
    const text = await answer.text()
    expect(text).toContain('<p>This note is taken.</p>')
    expect(text).toContain(`data-whole="${whole}" data-request="${answer.headers.get('x-request-id')}"`)
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
  }
})

test('PLT-10 422 lists every violation with its path and a message', async () => {
  const answer = await post({ text: 'no', tags: [1] })
  expect([answer.status, await answer.json()]).toMatchObject([
    422,
    {
      code: 'validation_failed',
      errors: [
        { path: 'text', message: 'Enter at least 3 characters.' },
        { path: 'tags.0', message: 'Must be text.' },
      ],
    },
  ])
  const missing = await post({})
  expect(await missing.json()).toMatchObject({ errors: [{ path: 'text', message: 'Required.' }] })
})

test('PLT-10 detail of a 422 names every invalid field as the caller sent it', async () => {
  const detailOf = async (body: unknown) => (await (await post(body)).json()).detail
  expect(await detailOf({})).toBe('text is required.')
  expect(await detailOf({ text: 'no', tags: [1], color: 'red' })).toBe(
    'text must have at least 3 characters. tags.0 must be text. Unknown field color.',
  )
})

test.each([
  ['limit', 'Must be at least 1.', 'limit must be at least 1.'],
  ['targets.0.url', 'Must be a valid URL.', 'targets.0.url must be a valid URL.'],
  ['email', 'Must be an email address.', 'email must be an email address.'],
  ['webUrl', 'Required for launchable services.', 'webUrl is required for launchable services.'],
  ['reason', 'Enter a reason.', 'reason is required.'],
  [
    'key',
    'Enter the key, or send it as the bearer token.',
    'key is required: enter the key, or send it as the bearer token.',
  ],
  ['scheduledAt', 'Choose a time to publish.', 'scheduledAt: choose a time to publish.'],
  ['name', 'Enter at least 1 character.', 'name must have at least 1 character.'],
  ['scopes', 'Choose at least 1.', 'scopes must have at least 1 item.'],
  ['scopes', 'Choose at most 50.', 'scopes must have at most 50 items.'],
  ['password', 'Incorrect password.', 'password: Incorrect password.'],
  ['format', 'format must be one of json, csv.', 'format must be one of json, csv.'],
  ['', 'Send one field at least.', 'Send one field at least.'],
])('PLT-10 detail for %s with the message "%s"', (path, message, detail) => {
  expect(describeFieldErrors([{ path, message }])).toBe(detail)
})

test('PLT-10 detail names at most ten errors', () => {
  const errors = Array.from({ length: 12 }, (_, at) => ({ path: `items.${at}`, message: 'Must be text.' }))
  expect(describeFieldErrors(errors)).toEndWith('items.9 must be text. See errors for 2 more.')
})

test('PLT-10 default messages of zod become sentences without its type names', () => {
  const messageFor = (schema: z.ZodType, value: unknown) =>
    schema
      .safeParse(value)
      .error?.issues.flatMap(fieldErrors)
      .map(({ message }) => message)
  expect(messageFor(z.email(), 'x')).toEqual(['Must be a valid email address.'])
  expect(messageFor(z.uuid(), 'x')).toEqual(['Must be a valid UUID.'])
  expect(messageFor(z.url(), 'x')).toEqual(['Must be a valid URL.'])
  expect(messageFor(z.string().startsWith('a'), 'x')).toEqual(['Must start with "a".'])
  expect(messageFor(z.number().multipleOf(5), 7)).toEqual(['Must be a multiple of 5.'])
  expect(messageFor(z.date(), 'x')).toEqual(['Must be a valid date.'])
  expect(messageFor(z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]), {})).toEqual([
    'Must have one of the forms in the API description.',
  ])
  expect(messageFor(z.enum(['a', 'b']), 'x')).toEqual(['Must be one of: a, b.'])
  expect(messageFor(z.literal('a'), 'x')).toEqual(['Must be a.'])
  expect(messageFor(z.number().int(), 1.5)).toEqual(['Must be a whole number.'])
})

test('PLT-10 malformed id in the path returns 404, malformed query returns 422', async () => {
  expect((await kernel.fetch('GET /api/notes/abc', known)).status).toBe(404)
  const answer = await kernel.fetch(`GET /api/notes/${Bun.randomUUIDv7()}?limit=10`, known)
  expect([answer.status, await answer.json()]).toMatchObject([422, { errors: [{ path: 'limit' }] }])
})

test('PLT-10 401 has WWW-Authenticate, 403 names the permission, 429 has Retry-After', async () => {
  const path = `/api/notes/${Bun.randomUUIDv7()}`
  for (const headers of [{}, { authorization: 'Bearer unknown' }] as Record<string, string>[]) {
    const refused = await kernel.fetch(`GET ${path}`, headers)
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
  }
  expect((await kernel.fetch(`GET ${path}`, known)).status).toBe(200)
  const forbidden = await kernel.fetch(`PATCH ${path}`, known)
  expect([forbidden.status, await forbidden.json()]).toMatchObject([
    403,
    { code: 'permission_missing', permission: 'notes:write' },
  ])
  const busy = await post({ text: 'busy' })
  expect([busy.status, busy.headers.get('retry-after')]).toEqual([429, '7'])
})

test('failed transaction saves nothing, even when it fails because the output violates its contract', async () => {
  for (const text of ['conflict', 'crash', 'busy', 'twice', 'refused', 'unfit']) {
    expect((await post({ text })).status).toBeGreaterThanOrEqual(400)
    expect([text, await kernel.notes()]).toEqual([text, []])
  }
  expect((await post({ text: 'kept' })).status).toBe(200)
  expect(await kernel.notes()).toEqual(['kept'])
})

test('PLT-07 internal error reveals no message, stack or value, in JSON and HTML', async () => {
  for (const text of ['crash', 'twice', 'wrapped', 'refused', 'unfit']) {
    for (const headers of [{}, { 'hx-request': 'true' }] as Record<string, string>[]) {
      const answer = await post({ text }, headers)
      const said = await answer.text()
      expect(answer.status).toBe(500)
      expect(said).toContain('Nothing was changed')
      expect(said).not.toMatch(new RegExp(`${secret}|Crashed|INSERT|SELECT|integer|\\.ts|at .*:\\d+|Could not`))
    }
  }
})

test('PLT-07 internal error is logged with its reason under the request id of the response', async () => {
  for (const [text, reason] of [
    ['crash', 'Crashed while holding'],
    ['twice', 'invalid input syntax for type integer'],
    ['wrapped', 'invalid input syntax for type integer'],
    ['refused', 'notes_text_check'],
    ['unfit', 'expected string'],
  ] as const) {
    const { requestId } = z.object({ requestId: z.string() }).parse(await (await post({ text })).json())
    const line = kernel.lines.find(({ message, request }) => message === 'failed' && request === requestId)
    expect(line).toMatchObject({ level: 'error', path: '/api/notes', stack: expect.stringMatching(/at .*:\d+:\d+/) })
    expect(JSON.stringify(line)).toContain(reason)
  }
})

test('PLT-33 values of a failed query are not logged', async () => {
  const from = kernel.lines.length
  for (const text of ['twice', 'wrapped']) await post({ text })
  const lines = JSON.stringify(kernel.lines.slice(from))
  expect(lines).toContain('SELECT $1::integer')
  expect(lines).not.toContain(secret)
})

test('PLT-33 each request is one log line with id, method, path without query, route, caller, status and duration', async () => {
  const from = kernel.lines.length
  const path = `/api/notes/${Bun.randomUUIDv7()}`
  const request = new Request(`http://localhost${path}?limit=1&note=${secret}`, { headers: known })
  const { headers } = await kernel.handle(request, '127.0.0.1')
  const line = { level: 'info', message: 'request', request: headers.get('x-request-id'), method: 'GET', path }
  const whose = { route: '/api/notes/:id', principal: expect.any(String), credential: 'access' }
  expect(kernel.lines.slice(from)).toEqual([
    { ...line, ...whose, status: 200, ms: expect.any(Number), time: expect.stringMatching(/^\d{4}-.*Z$/) },
  ])
})

test('in-process request is logged only at debug level', async () => {
  await kernel.handle(new Request('http://localhost/nowhere'))
  expect(kernel.lines.at(-1)).toMatchObject({ level: 'debug', message: 'request', status: 404 })
})

test('PLT-10 missing field is reported as required, regardless of its type', async () => {
  const schema = z.object({ brandId: Id, kind: z.enum(['a', 'b']), at: z.object({ id: Id }), not: Id.optional() })
  const refusal = (given: unknown) => checkInput(schema, given, new Set()).catch(({ message }: Problem) => message)
  expect(await refusal({ at: {} })).toBe('brandId is required. kind is required. at.id is required.')
  expect(await refusal({ brandId: '', kind: 'c', at: { id: 'x' }, not: 'x' })).toBe(
    'brandId must be an ID (a UUID). kind must be one of: a, b. at.id must be an ID (a UUID). not must be an ID (a UUID).',
  )
})
