import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Problem } from '#lib/errors.ts'
import { checkInput } from '#lib/request/input.ts'
import { openWorld, type World } from '../support/world.ts'
import { sendChecked, fromPage, requestFor, allowedCaller } from './send-request.ts'
import { operations, paramsOf, withBody, type Declared } from './every.ts'
import { junkSegments } from './junk.ts'
import { samplesOf } from './samples.ts'

// Faults of a request that are found before its fields are read.

let world: World

beforeAll(async () => {
  world = await openWorld({ apps: true })
})

afterAll(() => world.close())

const named = (of: Declared[]) => of.map((operation) => [operation.route, operation] as const)

/**
 * The kernel reads a body before it looks at the operation, in one of a few ways: one operation of each way is called.
 * `Operation` has no field that could add another way.
 */
/** Operations that accept bytes are tested in tests/lib/http-body-kinds.test.ts. */
const asData = withBody.filter(({ body }) => body?.as !== 'bytes' && body?.as !== 'stream')

const readings = [
  ...new Map(
    asData.map((operation) => {
      const { method, signed, body, permission } = operation
      return [JSON.stringify([method, Boolean(signed), body, permission === 'public']), operation] as const
    }),
  ).values(),
]

test('each way of reading a body is used by an operation', () => {
  expect(readings.length).toBeWithin(5, 20)
  expect(readings.some(({ signed }) => signed)).toBe(true)
  expect(readings.some(({ body }) => body?.as === 'file')).toBe(true)
  expect(readings.some(({ permission }) => permission === 'public')).toBe(true)
})

const sampleOf = (operation: Declared) => samplesOf(operation, world)[0] ?? {}
const routeOf = (operation: Declared) => requestFor(operation, sampleOf(operation)).route

test.each(named(readings))('PLT-10 %s: malformed body returns 400', async (_, operation) => {
  const cut = JSON.stringify(sampleOf(operation)).slice(0, -1)
  for (const body of [
    cut,
    '{"a":1,}',
    "{'a':1}",
    '{} {}',
    'undefined',
    '['.repeat(50_000),
    '['.repeat(500) + ']'.repeat(500),
  ]) {
    const answer = await sendChecked(allowedCaller(operation, world), { route: routeOf(operation), body })
    expect(answer).toMatchObject({ status: 400, json: { code: 'malformed' } })
  }
  const invalidUtf8 = new Blob([new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d])]).stream()
  const answer = await sendChecked(allowedCaller(operation, world), { route: routeOf(operation), body: invalidUtf8 })
  expect(answer).toMatchObject({ status: 400, json: { code: 'malformed' } })
})

test.each(named(readings))('PLT-10 %s: body of a different type returns 415', async (_, operation) => {
  const body = JSON.stringify(sampleOf(operation))
  for (const type of ['text/plain', 'application/xml', 'application/octet-stream', 'json', '']) {
    const answer = await sendChecked(
      allowedCaller(operation, world),
      { route: routeOf(operation), body },
      { 'content-type': type },
    )
    expect(answer, type).toMatchObject({ status: 415, json: { code: 'unsupported_media_type' } })
  }
})

test.each(named(readings.filter(({ body }) => body?.limit === undefined)))(
  'PLT-10 %s: body over 1 MiB returns 413, even for signed-in people',
  async (_, operation) => {
    const body = JSON.stringify({ ...sampleOf(operation), filler: 'x'.repeat(1024 * 1024) })
    const request = { route: routeOf(operation), body }
    const answer = await sendChecked(allowedCaller(operation, world), request)
    expect(answer).toMatchObject({ status: 413, json: { code: 'body_too_large' } })
    expect((await sendChecked(allowedCaller(operation, world), request, fromPage)).status).toBe(413)
  },
)

test.each(named(readings))('PLT-10 %s: body that is not an object returns 422', async (_, operation) => {
  for (const body of ['[]', '[{}]', '"text"', '42', 'null', 'true']) {
    const answer = await sendChecked(allowedCaller(operation, world), { route: routeOf(operation), body })
    expect(answer, body).toMatchObject({ status: 422, json: { code: 'validation_failed' } })
  }
})

const withParams = operations.filter(({ path }) => path.includes(':'))

// A handle, the name of a provider or a step and the number of a callback are words, not ids: every word is well-formed.
const words: Readonly<Record<string, RegExp>> = {
  step: /^[a-z][a-z-]{0,31}$/,
  handle: /^[\w-]{1,30}$/,
  provider: /^[a-z][a-z0-9-]{0,39}$/,
  sequence: /^[1-9]\d*$/,
}
const isWord = (name: string, segment: string): boolean => words[name]?.test(segment) ?? false

test.each(named(withParams))('PLT-11 %s: malformed id in the path returns 404', async (_, operation) => {
  const params = new Set(paramsOf(operation.path))
  for (const name of params) {
    for (const segment of junkSegments.filter((each) => !isWord(name, each))) {
      const given = { ...sampleOf(operation), [name]: segment }
      const refusal = await checkInput(operation.input, given, params).catch((error: unknown) => error)
      if (refusal instanceof Problem) expect(refusal.status, segment).toBe(404)
      else await expectNotFound(operation, name, segment)
    }
    for (const segment of ['nothing', '%00']) await expectNotFound(operation, name, segment)
  }
})

// Segments are decoded in the same way for all of them.
test.each(named(withParams.slice(0, 2)))('PLT-11 %s: junk in the path returns 404', async (_, operation) => {
  for (const name of paramsOf(operation.path))
    for (const segment of junkSegments) await expectNotFound(operation, name, segment)
})

async function expectNotFound(operation: Declared, name: string, segment: string): Promise<void> {
  if (isWord(name, segment)) return
  const request = requestFor(operation, { ...sampleOf(operation), [name]: segment })
  const answer = await sendChecked(allowedCaller(operation, world), request)
  expect(answer, segment).toMatchObject({ status: 404, json: { code: 'not_found' } })
}

/** Also by a parameter that takes any segment. */
const isAt = ({ path: pattern }: Declared, path: string): boolean =>
  new RegExp(`^${pattern.replaceAll(/:\w+/g, '[^/]+')}(\\?|$)`).test(path)

test.each(named(operations))(
  'PLT-07 %s: unsupported method returns 405 with Allow, or reaches another route',
  async (_, operation) => {
    const { route } = requestFor(operation, sampleOf(operation))
    const path = route.replace(/^\w+ /, '')
    const supported = new Set(operations.filter((other) => isAt(other, path)).map(({ method }) => method))
    const method = ['PATCH', 'PUT', 'POST', 'DELETE'].find((other) => !supported.has(other))
    const answer = await sendChecked(allowedCaller(operation, world), { route: `${method} ${path}` })
    expect(answer).toMatchObject({ status: 405, json: { code: 'method_not_allowed' } })
    expect(answer.headers.get('allow')?.split(', ')).toContain(operation.method)
  },
)

const beyond = ['billing', 'referrals', 'rewards', 'subscription-rewards', 'subscriptions']

/** The API of payments has subscriptions (PAY-33). */
const pathsOf = (word: string): string[] => [
  ...(word === 'subscriptions' ? [] : [`/api/${word}`, `/api/${word}/plans`]),
  `/workspace/${word}`,
  `/workspace/${word}/1/edit`,
]

test.each(beyond)('SOC-41 %s returns 404 in the API and the web app, signed in or not', async (word) => {
  for (const caller of [world.ada, world.stranger])
    for (const path of pathsOf(word))
      for (const method of ['GET', 'POST', 'DELETE']) {
        const answer = await sendChecked(caller, { route: `${method} ${path}` })
        expect(answer).toMatchObject({ status: 404, json: { code: 'not_found' } })
        expect((await sendChecked(caller, { route: `${method} ${path}` }, fromPage)).status).toBe(404)
      }
})
