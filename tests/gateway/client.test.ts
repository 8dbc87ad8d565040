import { expect, test } from 'bun:test'
import { z } from 'zod'
import { Problem } from '#lib/errors.ts'
import { markTransaction } from '#lib/outside-calls.ts'
import {
  createGatewayRequests,
  mayHaveReachedGateway,
  type RequestsOptions,
} from '../../src/gateway/client/requests.ts'
import { wireServer } from '../support/world/wire.ts'
import { openWorld } from '../support/world.ts'

const answer = z.object({ ok: z.boolean() })
const usable: RequestsOptions = {
  fetch: async () => Response.json({ ok: true }),
  baseUrl: 'http://gateway.example',
  serviceTokens: () => async () => 'token',
}
const call = (options: Partial<RequestsOptions>, timeoutMs?: number) =>
  createGatewayRequests({ ...usable, ...options }).request({
    caller: 'platform-socialize',
    method: 'POST',
    path: '/platform/things',
    answer,
    sent: {},
    ...(timeoutMs !== undefined && { timeoutMs }),
  })
const problemOf = (promise: Promise<unknown>): Promise<Problem> =>
  promise.then(
    () => Promise.reject(new Error('It didn’t fail')),
    (error: unknown) => (error instanceof Problem ? error : Promise.reject(error as Error)),
  )
const responds = (status: number, body: object = {}) => ({ fetch: async () => Response.json(body, { status }) })

test.each([
  ['it has no URL', { baseUrl: null }],
  ['this process has no service tokens', { serviceTokens: undefined }],
  ['no token is issued', { serviceTokens: () => () => Promise.reject(new Error('Identity is unavailable')) }],
  ['it can’t be reached', { fetch: () => Promise.reject(new TypeError('Unable to connect')) }],
  ['it refuses even a new token', responds(401)],
  ['a proxy responds for it', { fetch: async () => new Response('<h1>Bad gateway</h1>', { status: 502 }) }],
  ['it fails', responds(500, { code: 'internal_error', detail: 'Something went wrong.' })],
  ['it lets only other services call', responds(403, { code: 'permission_missing', detail: 'Only others.' })],
  ['its response is another one', responds(200, { ok: 'yes' })],
] as const)('GTW-05 a call to the gateway fails with 503 gateway_unavailable when %s', async (_, options) => {
  const { status, code } = await problemOf(call(options))
  expect({ status, code }).toEqual({ status: 503, code: 'gateway_unavailable' })
})

test.each([
  ['it has no URL', { baseUrl: null }, false],
  ['no token is issued', { serviceTokens: () => () => Promise.reject(new Error('Identity is unavailable')) }, false],
  ['it refuses even a new token', responds(401), false],
  [
    'no connection is made',
    { fetch: () => Promise.reject(Object.assign(new Error('Refused'), { code: 'ConnectionRefused' })) },
    false,
  ],
  ['the connection is lost', { fetch: () => Promise.reject(new TypeError('Connection reset')) }, true],
  ['it fails', responds(500), true],
  ['its response is another one', responds(200, { ok: 'yes' }), true],
] as const)('GTW-05 whether the gateway can have acted is known when %s', async (_, options, mayHave) => {
  expect(mayHaveReachedGateway(await problemOf(call(options)))).toBe(mayHave)
})

test('GTW-05 gateway that doesn’t respond in time can have acted', async () => {
  expect(mayHaveReachedGateway(await problemOf(call({ fetch: () => new Promise(() => {}) }, 5)))).toBe(true)
})

test('GTW-05 a call to the gateway fails with 503 after its time limit, also in the same process', async () => {
  expect((await problemOf(call({ fetch: () => new Promise(() => {}) }, 5))).code).toBe('gateway_unavailable')
})

test('GTW-05 a problem of the request is passed on with its fields', async () => {
  const errors = [{ path: 'instance', message: 'Must be a server.' }]
  const problem = await problemOf(
    call(responds(422, { code: 'validation_failed', detail: 'instance is wrong', errors })),
  )
  expect({ code: problem.code, detail: problem.message, errors: problem.options.errors }).toEqual({
    code: 'validation_failed',
    detail: 'instance is wrong',
    errors,
  })
})

test('GTW-05 a problem of the request keeps its own members, and none of the document’s', async () => {
  const document = {
    type: 'urn:x',
    status: 504,
    requestId: 'r-1',
    code: 'provider_timed_out',
    detail: 'Late.',
    hint: 'x',
  }
  const problem = await problemOf(call(responds(504, document)))
  expect([problem.status, problem.code, problem.options.members]).toEqual([504, 'provider_timed_out', { hint: 'x' }])
})

test('GTW-05 a refused token is replaced once', async () => {
  const seen: string[] = []
  const serviceTokens: RequestsOptions['serviceTokens'] = () => async (_, options) => (options?.fresh ? 'new' : 'old')
  const fetch: RequestsOptions['fetch'] = async ({ headers }) => {
    seen.push(headers.get('authorization') ?? '')
    return Response.json({ ok: true }, { status: seen.length === 1 ? 401 : 200 })
  }
  expect(await call({ fetch, serviceTokens })).toEqual({ ok: true })
  expect(seen).toEqual(['Bearer old', 'Bearer new'])
})

test('GTW-05 the gateway can’t be called while a transaction is open', async () => {
  const outcome = markTransaction(() => call({})).then(
    () => 'called',
    (error: unknown) => String(error),
  )
  expect(await outcome).toContain('commit first')
})

test('GTW-05 a server says whether it has a gateway: its own, one at NEXUS_GATEWAY_URL, or none', async () => {
  await using world = await openWorld().then((opened) => ({ ...opened, [Symbol.asyncDispose]: opened.close }))
  expect(world.provided.gateway.isConfigured).toBe(true)
  const configured = async (env: Record<string, string>) => {
    const undo: (() => Promise<unknown> | void)[] = []
    const url = world.provided.config.DATABASE_URL ?? ''
    const home = world.provided.config.DATA_DIR
    const { provided } = await wireServer({ url, home, undo, env: { SERVICES: 'identity,social', ...env } })
    for (const step of undo.toReversed()) await step()
    return provided.gateway.isConfigured
  }
  expect(await configured({})).toBe(false)
  expect(await configured({ NEXUS_GATEWAY_URL: 'http://127.0.0.1:1' })).toBe(true)
})
