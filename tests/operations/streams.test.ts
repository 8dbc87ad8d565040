import { afterAll, beforeAll, expect, test } from 'bun:test'
import { z } from 'zod'
import { operation } from '#lib/operation.ts'
import { stream } from '#lib/reply.ts'
import { sse } from '#lib/sse.ts'
import { openKernel, type Kernel } from '../lib/kernel.tsx'
import { callerOf, type Caller } from '../support/world/callers.ts'
import { sendChecked, requestFor } from './send-request.ts'

// The generated tests accept what a streaming operation declares, and don't wait for its end.

const open = { permission: 'public', input: z.object({ text: z.string() }), transaction: false } as const
const events = 'text/event-stream'
const ended: string[] = []

const echo = operation({
  ...open,
  route: 'POST /api/echo',
  summary: 'Say a text again, word by word',
  streams: events,
  output: z.object({ word: z.string() }),
  run: async ({ input }) =>
    sse(
      (async function* () {
        for (const word of input.text.split(' ')) yield { data: { word } }
      })(),
    ),
})
const news = operation({
  ...open,
  route: 'GET /api/news',
  summary: 'Wait for news that never come',
  streams: events,
  output: z.null(),
  run: async ({ signal }) =>
    sse(
      (async function* () {
        yield { data: 'one' }
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
      })(),
      { onEnd: ({ outcome }) => void ended.push(outcome) },
    ),
})
const flood = operation({
  ...open,
  route: 'GET /api/flood',
  summary: 'Lines without an end',
  streams: 'text/plain',
  output: z.null(),
  run: async () =>
    stream(
      (async function* () {
        for (;;) yield 'x'.repeat(1024)
      })(),
      'text/plain',
      { onEnd: ({ outcome }) => void ended.push(outcome) },
    ),
})

let kernel: Kernel
let caller: Caller
beforeAll(async () => {
  kernel = await openKernel({ operations: { echo, news, flood } })
  caller = callerOf(kernel.handle, {})
})
afterAll(() => kernel.close())

const declared = ({ route, ...rest }: { route: string; streams?: string }) => {
  const [method = '', path = ''] = route.split(' ')
  return { ...rest, method, path }
}

test('streaming operation passes the generated tests with its declared media type', async () => {
  const requested = requestFor(declared(echo), { text: 'once upon' })
  const answer = await sendChecked(caller, requested)
  expect([answer.status, answer.text]).toEqual([200, ':\n\ndata: {"word":"once"}\n\ndata: {"word":"upon"}\n\n'])
  await expect(sendChecked(caller, { ...requested, streams: 'text/plain' })).rejects.toThrow('text/event-stream')
  const refused = await sendChecked(caller, requestFor(declared(echo), { text: 7 }))
  expect(refused).toMatchObject({ status: 422, json: { code: 'validation_failed' } })
})

test('endless stream doesn’t block the generated tests, and its work ends', async () => {
  expect((await sendChecked(caller, requestFor(declared(news), { text: '' }))).text).toContain('data: one')
  expect((await sendChecked(caller, requestFor(declared(flood), { text: '' }))).text.length).toBeGreaterThan(100_000)
  while (ended.length < 2) await Bun.sleep(1)
  expect(ended).toEqual(['canceled', 'canceled'])
})
