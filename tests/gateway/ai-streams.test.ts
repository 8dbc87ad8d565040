import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { budgetHolds, usageLogs } from '../../src/gateway/schema.ts'
import { createUpstreams } from '../../src/gateway/providers/upstreams.ts'
import type { OutboundInit } from '#lib/outbound.ts'
import { createDrains } from '../../src/gateway/providers/drains.ts'
import { scaleTime } from '../support/time-scale.ts'
import { openWorld, type World } from '../support/world.ts'
import { openUpstream, type ScriptedUpstream } from './upstream.ts'

// Connections to providers: who gets one, how long it is kept, and what passes through it.

let world: World
let upstream: ScriptedUpstream
const responseMs = scaleTime(2_000)

beforeAll(async () => {
  upstream = openUpstream()
  world = await openWorld({ env: { AI_CONNECTIONS: '4', AI_RESPONSE_MS: String(responseMs) } })
  for (const caller of [world.ada, world.mallory])
    await caller.fetchJson('PUT /api/credentials/openai', {
      label: 'main',
      secret: { apiKey: 'sk-secret' },
      baseUrl: upstream.url,
    })
})
afterAll(async () => {
  await world.close()
  upstream.stop()
})
beforeEach(() => void (upstream.requests.length = 0))

const send = (body: object = {}, caller = world.ada) =>
  caller.fetch('POST /api/ai/chat/completions', {
    model: 'openai/gpt-4o-mini',
    messages: [{ role: 'user', content: 'Hello' }],
    ...body,
  })
const completion = () =>
  Response.json({
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 10, completion_tokens: 5 },
  })
const chunk = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'Hi' }, finish_reason: null }] })}\n\n`

/** Begins at once, and ends with its connection. */
const endless = () =>
  new Response(new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode(chunk)) }), {
    headers: { 'content-type': 'text/event-stream' },
  })

async function until<Found>(find: () => Promise<Found | undefined>): Promise<Found> {
  for (const deadline = Date.now() + 15_000; ; await Bun.sleep(20)) {
    const found = await find()
    if (found !== undefined) return found
    if (Date.now() > deadline) throw new Error('It didn’t happen within 15 s')
  }
}

async function rowOf(response: Response) {
  await world.provided.ledger.settled()
  const rows = await world.database.db.select().from(usageLogs)
  return rows.find(({ requestId }) => requestId === response.headers.get('x-request-id'))
}

test('GTW-12 an organization whose calls hang can’t take a provider’s connections from others', async () => {
  upstream.answer(endless)
  const hanging = [await send({ stream: true }), await send({ stream: true })]
  expect(hanging.map(({ status }) => status)).toEqual([200, 200])
  // More than the failures in a row that open a circuit.
  for (let attempt = 0; attempt < 6; attempt++) {
    const refused = await send()
    expect([refused.status, (await refused.json()).code]).toEqual([429, 'concurrency_limited'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  }
  expect(upstream.requests).toHaveLength(2)
  upstream.answer(completion)
  expect((await send({}, world.mallory)).status).toBe(200)
  for (const { body } of hanging) await body?.cancel()
  const freed = await until(async () => {
    const response = await send()
    return response.status === 200 ? response : undefined
  })
  expect(freed.status).toBe(200)
})

test('GTW-12 calls to a host that an organization entered count against its share, whatever the host', async () => {
  const ends: (() => void)[] = []
  const outbound = {
    check: () => {},
    fetch: async (_: unknown, { onEnd = () => {} }: OutboundInit = {}) => {
      ends.push(onEnd)
      return new Response('{}')
    },
  }
  const config = { ...world.provided.config, ALLOW_PRIVATE_NETWORK: false }
  const upstreams = createUpstreams({
    ...world.provided,
    config,
    handle: world.handle,
    now: () => new Date(),
    outbound,
  })
  const call = (organizationId: string) =>
    upstreams.fetch(
      {
        level: 'organization',
        provider: 'own',
        baseUrl: `https://${ends.length}.example`,
      },
      '/models',
      { organizationId },
    )
  await call('first')
  await call('first')
  expect(await call('first').catch((error: unknown) => error)).toMatchObject({ outcome: 'busy' })
  await call('second')
  ends[0]?.()
  await call('first')
  expect(ends).toHaveLength(4)
})

test('GTW-35 a stream that goes on for too long after its caller hung up is recorded at what it can have cost', async () => {
  upstream.answer(endless)
  const response = await send({ stream: true, max_tokens: 1_000 })
  const reader = response.body?.getReader()
  await reader?.read()
  const leftAt = performance.now()
  await reader?.cancel()
  const row = await until(() => rowOf(response))
  expect(performance.now() - leftAt).toBeGreaterThan(responseMs - 100)
  expect(row).toMatchObject({ certainty: 'suspect', outputTokens: 1_000 })
  // $0.60 per million tokens of output.
  expect(row.costNanoUsd).toBeGreaterThan(1_000n * 600n)
})

test('GTW-35 of too many streams without a caller, the oldest ends first', () => {
  const cut: string[] = []
  const drains = createDrains({ max: 2, maxMs: 60_000 })
  const add = (name: string) => drains.add(() => void cut.push(name))
  const ends = [add('first'), add('second'), add('third')]
  expect(cut).toEqual(['first'])
  ends[1]?.()
  ends.push(add('fourth'))
  expect(cut).toEqual(['first'])
  for (const end of ends) end()
})

const mebibyte = 1024 * 1024
const boundary = 'b0undary'
const fieldOf = (name: string, value: string) =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
const end = `--${boundary}--\r\n`

/** A recording of `bytes` bytes, sent piece by piece as the official client does: its file comes before its fields. */
async function* formOf(bytes: number, fields: string, read = { bytes: 0 }): AsyncGenerator<Uint8Array> {
  const text = new TextEncoder()
  const file = `Content-Disposition: form-data; name="file"; filename="call \u{1F399}.wav"\r\nContent-Type: audio/wav`
  yield text.encode(`--${boundary}\r\n${file}\r\n\r\n`)
  for (let left = bytes; left > 0; left -= 65_536) {
    const size = Math.min(left, 65_536)
    read.bytes += size
    yield new Uint8Array(size).fill(left % 251)
  }
  yield text.encode(`\r\n${fields}`)
}

const streamOf = (pieces: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> =>
  new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await pieces.next()
        return done ? controller.close() : controller.enqueue(value)
      },
    },
    { highWaterMark: 0 },
  )

interface Transcribe {
  headers?: Record<string, string>
  signal?: AbortSignal
}

const transcribe = (body: AsyncGenerator<Uint8Array> | string, { headers, signal }: Transcribe = {}) =>
  world.handle(
    new Request('http://localhost/api/ai/audio/transcriptions', {
      method: 'POST',
      headers: { ...(headers ?? world.ada.credential), 'content-type': `multipart/form-data; boundary=${boundary}` },
      body: typeof body === 'string' ? body : streamOf(body),
      ...(signal && { signal }),
    }),
  )
const transcription = () => Response.json({ text: 'Hello', duration: 10 })
const whisper = fieldOf('model', 'openai/whisper-1')

test('GTW-11 a large recording takes no memory, and reaches the provider as it was sent', async () => {
  const digest = async (file: AsyncIterable<Uint8Array>) => {
    const hasher = new Bun.CryptoHasher('sha256')
    for await (const piece of file) hasher.update(piece)
    return hasher.digest('hex')
  }
  const expected = async function* () {
    const [, ...pieces] = await Array.fromAsync(formOf(mebibyte, ''))
    yield* pieces.slice(0, -1)
  }
  const received: unknown[] = []
  upstream.answer(async (request) => {
    const form = await request.formData()
    const file = form.get('file')
    if (!(file instanceof File)) throw new Error('There is no file')
    received.push([...form.keys()], file.name, file.type, await digest(file.stream()), form.get('model'))
    received.push(Number(request.headers.get('content-length')) > mebibyte)
    return transcription()
  })
  const small = await transcribe(formOf(mebibyte, `${whisper}${fieldOf('language', 'en')}${end}`))
  expect([small.status, (await small.json()).text]).toEqual([200, 'Hello'])
  expect(received).toEqual([
    ['model', 'file', 'language'],
    'call \u{1F399}.wav',
    expect.stringMatching(/^audio\/(x-)?wav$/),
    await digest(expected()),
    'whisper-1',
    true,
  ])

  const usedBytes = () => {
    Bun.gc(true)
    return process.memoryUsage.rss()
  }
  const isHalfWay = Promise.withResolvers<void>()
  const resume = Promise.withResolvers<void>()
  let arrived = 0
  upstream.answer(async ({ body }) => {
    for await (const { byteLength } of body ?? []) {
      arrived += byteLength
      if (arrived < mebibyte) continue
      isHalfWay.resolve()
      await resume.promise
    }
    return transcription()
  })
  const before = usedBytes()
  const sent = transcribe(formOf(24 * mebibyte, whisper + end))
  await isHalfWay.promise
  expect(usedBytes() - before).toBeLessThan(8 * mebibyte)
  // It has no name, so that not even a killed server leaves it behind.
  expect(await readdir(join(world.provided.config.DATA_DIR, 'uploads'))).toEqual([])
  resume.resolve()
  expect((await sent).status).toBe(200)
  expect(arrived).toBeGreaterThan(24 * mebibyte)
})

test('GTW-12 the next model of the chain gets the same recording', async () => {
  await world.ada.fetchJson(`PUT /api/organizations/${world.ada.things.organizations}/model-preferences`, {
    routes: { transcription: ['openai/whisper-1', 'openai/gpt-4o-transcribe'] },
  })
  const sizes: unknown[] = []
  upstream.answer(async (request) => {
    const form = await request.formData()
    const file = form.get('file')
    sizes.push([form.get('model'), file instanceof File && file.size])
    return sizes.length === 1 ? new Response(null, { status: 500 }) : transcription()
  })
  const response = await transcribe(formOf(mebibyte, whisper + end))
  expect([response.status, response.headers.get('x-atrium-fallbacks')]).toEqual([200, '1'])
  expect(sizes).toEqual([
    ['whisper-1', mebibyte],
    ['gpt-4o-transcribe', mebibyte],
  ])
})

test('GTW-11 a caller who hangs up while the provider gets the recording stops that, and pays nothing', async () => {
  const began = Promise.withResolvers<void>()
  const stopped = Promise.withResolvers<void>()
  upstream.answer(async ({ signal, body }) => {
    signal.addEventListener('abort', () => stopped.resolve())
    await body?.getReader().read()
    began.resolve()
    await stopped.promise
    return transcription()
  })
  const caller = new AbortController()
  const sent = transcribe(formOf(24 * mebibyte, whisper + end), { signal: caller.signal })
  await began.promise
  caller.abort()
  await stopped.promise
  expect((await sent).status).toBe(400)
  expect(upstream.requests).toHaveLength(1)
  await world.provided.ledger.settled()
  expect(await world.database.db.select().from(budgetHolds)).toEqual([])
  expect(await rowOf(await sent)).toBeUndefined()
})

test('GTW-10 a form that is refused isn’t read further, and no provider is called', async () => {
  const read = { bytes: 0 }
  const anonymous = await transcribe(formOf(20 * mebibyte, whisper + end, read), { headers: {} })
  expect([anonymous.status, read.bytes]).toEqual([401, 0])
  const long = await transcribe(formOf(40 * mebibyte, whisper + end, read))
  expect([long.status, (await long.json()).code]).toEqual([413, 'body_too_large'])
  expect(read.bytes).toBeLessThan(27 * mebibyte)
  const text = await transcribe(formOf(1, fieldOf('prompt', 'x'.repeat(2 * mebibyte)) + whisper + end))
  expect(text.status).toBe(413)
  for (const body of [formOf(mebibyte, whisper), 'no form', `--${boundary}\r\n\r\n`]) {
    const broken = await transcribe(body)
    expect([broken.status, (await broken.json()).code]).toEqual([400, 'malformed'])
  }
  const many = await transcribe(fieldOf('tag', 'x').repeat(1_001) + end)
  expect(many.status).toBe(400)
  const without = await transcribe(whisper + end)
  expect([without.status, (await without.json()).errors]).toMatchObject([422, [{ path: 'file' }]])
  expect(upstream.requests).toEqual([])
})
