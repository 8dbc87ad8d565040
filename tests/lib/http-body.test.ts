import { afterAll, beforeAll, expect, jest, test } from 'bun:test'
import { z } from 'zod'
import { operation } from '#lib/operation.ts'
import { openKernel, type Kernel } from './kernel.tsx'
import { scaleTime } from '../support/time-scale.ts'

const echo = operation({
  route: 'POST /api/echo',
  summary: 'Say it again',
  permission: 'public',
  body: { limit: 1024 * 1024 },
  input: z.object({ text: z.unknown(), list: z.unknown(), thread: z.unknown() }).partial(),
  output: z.unknown(),
  run: async ({ input }) => input,
})

let kernel: Kernel
let server: Bun.Server<undefined>
beforeAll(async () => {
  kernel = await openKernel({ operations: { echo } })
  server = Bun.serve({ port: 0, fetch: (request) => kernel.handle(request, '127.0.0.1') })
})
afterAll(async () => {
  await server.stop(true)
  await kernel.close()
})

const asJson = { 'content-type': 'application/json' }
const asForm = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' }
const problemOf = async (answer: Response) => [answer.status, await answer.json()]

test('form body reads like JSON: nested names, lists and numbered items', async () => {
  const said = { text: { body: 'Tea & cake' }, list: ['a'], thread: [{ text: 'One' }, { text: 'Two' }] }
  const fields = 'text.body=Tea+%26+cake&list[]=a&thread[0].text=One&thread[1].text=Two'
  expect(await (await kernel.fetch('POST /api/echo', asJson, JSON.stringify(said))).json()).toEqual(said)
  expect(await (await kernel.fetch('POST /api/echo', asForm, fields)).json()).toEqual(said)
  const form = new FormData()
  for (const [name, value] of new URLSearchParams(fields)) form.append(name, value)
  expect(await (await kernel.fetch('POST /api/echo', {}, form)).json()).toEqual(said)
})

test('fields named like Object.prototype members are rejected like other unknown fields', async () => {
  const answer = await kernel.fetch(
    'POST /api/echo',
    asForm,
    '__proto__.text=evil&constructor.prototype.text=evil&list=1',
  )
  expect(await problemOf(answer)).toMatchObject([422, { errors: [{ path: '__proto__' }, { path: 'constructor' }] }])
  expect(({} as Record<string, unknown>)['text']).toBeUndefined()
})

test('PLT-10 unreadable body returns 400, and a body of a different type 415', async () => {
  const malformed = [
    [asJson, '{"text":'],
    [asJson, new Uint8Array([0x22, 0xff, 0x22])],
    [{ 'content-type': 'multipart/form-data' }, 'no boundary'],
  ] as const
  for (const [headers, body] of malformed)
    expect(await problemOf(await kernel.fetch('POST /api/echo', headers, body))).toMatchObject([
      400,
      { code: 'malformed' },
    ])
  for (const type of ['text/plain', 'application/xml', ''])
    expect((await kernel.fetch('POST /api/echo', { 'content-type': type }, '{}')).status).toBe(415)
  for (const body of ['null', '[]', '7', '"text"'])
    expect((await kernel.fetch('POST /api/echo', asJson, body)).status).toBe(422)
})

/** A chunked body without Content-Length. */
const chunked = (parts: number) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (let part = 0; part < parts; part++) controller.enqueue(new Uint8Array(256 * 1024).fill(0x20))
      controller.enqueue(new TextEncoder().encode('{"text":"end"}'))
      controller.close()
    },
  })

test('PLT-10 body over 1 MiB returns 413, even when it is chunked without a length', async () => {
  const url = new URL('/api/echo', server.url)
  for (const body of [' '.repeat(1024 * 1024 + 1), chunked(5)]) {
    const answer = await fetch(url, { method: 'POST', headers: asJson, body })
    expect(await problemOf(answer)).toMatchObject([413, { code: 'body_too_large' }])
  }
  const fits = await fetch(url, { method: 'POST', headers: asJson, body: chunked(3) })
  expect(await problemOf(fits)).toEqual([200, { text: 'end' }])
})

test('PLT-10 body that does not arrive within 15 s returns 408, and its partial content is not processed', async () => {
  jest.useFakeTimers()
  try {
    const body = new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode('{}')) })
    const answer = kernel.fetch('POST /api/echo', asJson, body)
    for (let turn = 0; turn < 20; turn++) await Promise.resolve()
    jest.advanceTimersByTime(15_000)
    expect(await problemOf(await answer)).toMatchObject([408, { code: 'body_timeout' }])
  } finally {
    jest.useRealTimers()
  }
})

test('PLT-11 body with excessive nesting returns 400 in every format', async () => {
  const brackets = `{"text":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
  const began = performance.now()
  const form = `a${'.a'.repeat(100_000)}=1`
  for (const [headers, body] of [[asJson, brackets] as const, [asForm, form] as const])
    expect(await problemOf(await kernel.fetch('POST /api/echo', headers, body))).toMatchObject([
      400,
      { code: 'malformed' },
    ])
  expect(performance.now() - began).toBeLessThan(scaleTime(10_000))
})

test('PLT-11 name repeated a thousand times is read as a list', async () => {
  for (const name of ['list', 'list[]']) {
    const answer = await kernel.fetch('POST /api/echo', asForm, Array(1_000).fill(`${name}=1`).join('&'))
    expect(((await answer.json()) as { list: unknown[] }).list).toHaveLength(1_000)
  }
})
