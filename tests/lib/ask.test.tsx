import { afterAll, beforeAll, expect, test } from 'bun:test'
import { z } from 'zod'
import { Problem } from '#lib/errors.ts'
import { Id } from '#lib/ids.ts'
import { operation, type Operation, type TypedOperation } from '#lib/operation.ts'
import { page } from '#lib/page.ts'
import { stream } from '#lib/reply.ts'
import { known, openKernel, type Kernel } from './kernel.tsx'

// How pages use operations: `call.ask`.

const Note = z.object({ id: Id, text: z.string(), madeBy: z.string() })
const id = '0190f6c4-1f1e-7000-8000-000000000001'

const getNote = operation({
  route: 'GET /api/notes/:id',
  summary: 'Get a note',
  permission: 'notes:read',
  input: z.object({ id: Id, shout: z.boolean().default(false) }),
  output: Note,
  run: async ({ input, actor, operation: name }) => ({
    id: input.id,
    text: input.shout ? 'TEA' : 'Tea',
    madeBy: `${actor.principal.principalType} by ${name}`,
    passwordHash: 'left out',
  }),
})
const readOnly = { input: z.object({}), output: z.object({}), run: async () => ({}) }
const writeNote = operation({
  route: 'POST /api/notes',
  summary: 'Create a note',
  permission: 'notes:read',
  ...readOnly,
})
const reviseNote = operation({
  route: 'PUT /api/notes',
  summary: 'Update a note',
  permission: 'notes:read',
  ...readOnly,
  run: async (call) => {
    outcomes.push(await call.ask(getNote, { id }).catch(String))
    return {}
  },
})
const readSecret = operation({
  route: 'GET /api/secret',
  summary: 'Get a secret',
  permission: 'notes:write',
  ...readOnly,
})
const undeclared = operation({ route: 'GET /api/none', summary: 'Get nothing', permission: 'public', ...readOnly })
const readFile = operation({
  route: 'GET /api/file',
  summary: 'Get a file',
  permission: 'notes:read',
  streams: 'text/plain',
  input: z.object({}),
  output: z.null(),
  run: async () => stream(new Blob(['file']), 'text/plain'),
})

/** What the page does with the call, and what became of it. */
let send: (call: {
  ask<Given, Result>(operation: TypedOperation<Given, Result>, input: Given): Promise<Result>
}) => Promise<unknown>
const outcomes: unknown[] = []
const pages = (['notes:read', 'public'] as const).map((permission) =>
  page({
    path: permission === 'public' ? '/open' : '/notes',
    permission,
    query: z.object({}),
    title: 'Notes',
    load: async (call) => {
      const outcome = await send(call).catch((error: unknown) =>
        error instanceof Problem ? [error.status, error.code] : String(error),
      )
      outcomes.push(outcome)
      return {}
    },
    view: () => <p>Notes</p>,
  }),
)
const operations: Record<string, Operation> = { getNote, writeNote, reviseNote, readSecret, readFile }

let kernel: Kernel
let counted = 0
beforeAll(async () => {
  kernel = await openKernel(
    { operations, pages },
    {
      limits: {
        take: async () => {
          counted += 1
          return null
        },
        giveBack: () => {},
      },
    },
  )
})
afterAll(() => kernel.close())

/** What `ask` came to on a page. */
async function outcomeOf(run: typeof send, path = '/notes', headers: Record<string, string> = known): Promise<unknown> {
  send = run
  expect((await kernel.fetch(`GET ${path}`, { ...headers, accept: 'text/html' })).status).toBe(200)
  return outcomes.pop()
}

test('PLT-06 page gets the same result as the API, for the same caller and without extra fields', async () => {
  const result = { id, text: 'TEA', madeBy: 'user by getNote' }
  expect(await outcomeOf((call) => call.ask(getNote, { id, shout: true }))).toEqual(result)
  const answer = await kernel.fetch(`GET /api/notes/${id}`, known)
  expect(await answer.json()).toEqual({ ...result, text: 'Tea' })
})

test('PLT-06 operation that a page runs checks its own permission and input', async () => {
  expect(await outcomeOf((call) => call.ask(readSecret, {}))).toEqual([403, 'permission_missing'])
  expect(await outcomeOf((call) => call.ask(getNote, { id: 'x' }))).toEqual([404, 'not_found'])
  expect(await outcomeOf((call) => call.ask(getNote, { id }), '/open', {})).toEqual([401, 'invalid_token'])
})

test('PLT-06 page can’t call an operation that changes something, streams, or isn’t declared by a context of the process', async () => {
  expect(await outcomeOf((call) => call.ask(writeNote, {}))).toContain('POST /api/notes is not a GET')
  expect(await outcomeOf((call) => call.ask(readFile, {}))).toContain('GET /api/file streams')
  expect(await outcomeOf((call) => call.ask(undeclared, {}))).toContain('isn’t declared by any context')
})

test('PLT-06 mutation can’t call an operation inside its transaction', async () => {
  expect((await kernel.fetch('PUT /api/notes', { ...known, 'content-type': 'application/json' }, '{}')).status).toBe(
    200,
  )
  expect(outcomes.pop()).toContain('GET /api/notes/:id can’t run inside the transaction of reviseNote')
})

test('PLT-14 operations that a page runs are counted as one read with it', async () => {
  const before = counted
  await outcomeOf(async (call) => [await call.ask(getNote, { id }), await call.ask(getNote, { id })])
  const withOperations = counted - before
  await outcomeOf(async () => null)
  expect(counted - before - withOperations).toBe(withOperations)
})
