import { afterAll, beforeAll, expect, test } from 'bun:test'
import { z } from 'zod'
import { operation } from '#lib/operation.ts'
import { known, openKernel, type Kernel } from './kernel.tsx'

const echo = {
  summary: 'Say it again',
  input: z.looseObject({ list: z.array(z.object({ text: z.string() })).optional() }),
  output: z.unknown(),
  run: async ({ input }: { input: unknown }) => input,
} as const
const report = operation({ ...echo, route: 'POST /api/told', permission: 'signed-in' })
const openOperation = operation({ ...echo, route: 'POST /api/public', permission: 'public' })
const largeOperation = operation({
  ...echo,
  route: 'POST /api/much',
  permission: 'public',
  body: { limit: 200 * 1024 },
})

let kernel: Kernel
let server: Bun.Server<undefined>
beforeAll(async () => {
  kernel = await openKernel({
    operations: { signedOperation: report, tellAnyone: openOperation, tellMuch: largeOperation },
  })
  server = Bun.serve({ port: 0, development: false, fetch: (request) => kernel.handle(request, '127.0.0.1') })
})
afterAll(async () => {
  await server.stop(true)
  await kernel.close()
})

const asForm = { 'content-type': 'application/x-www-form-urlencoded' }
const asJson = { 'content-type': 'application/json' }
const mebibyte = 1024 * 1024
const filled = (part: (at: number) => string, size: number): string => {
  let text = ''
  for (let at = 0; text.length < size - 100; at++) text += part(at)
  return text
}
const brackets = filled((at) => `a[${at}][b]=1&`, mebibyte)
/** Number of parts in a mebibyte. */
const multipart = filled(() => '--x\r\nContent-Disposition: form-data; name="a[0]"\r\n\r\n1\r\n', mebibyte)
const asMultipart = { 'content-type': 'multipart/form-data; boundary=x' }

/**
 * Milliseconds of processor time per request of many equal ones: the fastest of several batches, since the process also
 * does other work, such as garbage collection.
 */
async function cost(send: () => Promise<Response>, times = 20): Promise<number> {
  for (let time = 0; time < 5; time++) await (await send()).text()
  const batches = 4
  const size = Math.ceil(times / batches)
  let least = Infinity
  for (let batch = 0; batch < batches; batch++) {
    const before = process.cpuUsage()
    for (let time = 0; time < size; time++) await (await send()).text()
    const { user, system } = process.cpuUsage(before)
    least = Math.min(least, (user + system) / 1000 / size)
  }
  return least
}

/** Milliseconds of processor time that the runtime needs to read the whole body. */
const readingAll = (headers: Record<string, string>, body: string) =>
  cost(async () => {
    const sent = new Response(body, { headers })
    return new Response(typeof (await (headers === asJson ? sent.json() : sent.formData())))
  }, 5)

const problem = async (answer: Response) => [answer.status, (await answer.json()).code]

test.each([
  ['a form', asForm, brackets, 400],
  ['a multipart form', asMultipart, `${multipart}--x--\r\n`, 400],
  ['a form of one repeated name', asForm, filled(() => 'a=1&', mebibyte), 400],
  ['JSON of bad items', asJson, `{"list":[${Array(400_000).fill('1').join()}]}`, 413],
  ['JSON of empty objects', asJson, `{"list":[${Array(300_000).fill('{}').join()}]}`, 413],
] as const)('PLT-10 %s of 1 MiB is rejected quickly', async (_, headers, body, status) => {
  const send = () => kernel.fetch('POST /api/told', { ...known, ...headers }, body)
  expect((await send()).status).toBe(status)
  // JSON is parsed before its values are counted; only a part of a form is.
  const most = headers === asJson ? 6 * (await readingAll(asJson, body)) : await readingAll(asForm, brackets)
  expect(await cost(send)).toBeLessThan(most)
})

test('PLT-10 form with the maximum number of fields is read quickly', async () => {
  const fields = (length: number) => Array.from({ length }, (_, at) => `a[b${at}][c]=1`).join('&')
  const body = fields(1_000)
  const send = (form: string) => () => kernel.fetch('POST /api/told', { ...known, ...asForm }, form)
  expect((await send(body)()).status).toBe(200)
  // Proportional to the fields: ten times as many must not take a hundred times as long.
  // Other programs on the machine only ever make a measurement dearer, so the cheapest of three counts.
  const ratios: number[] = []
  for (let at = 0; at < 3; at++) ratios.push((await cost(send(body))) / (await cost(send(fields(100)))))
  expect(Math.min(...ratios)).toBeLessThan(10)
  expect(await problem(await kernel.fetch('POST /api/told', { ...known, ...asForm }, `${body}&a[d]=1`))).toEqual([
    400,
    'malformed',
  ])
})

test('PLT-10 unauthenticated body is accepted up to 64 KiB or the operation’s limit, 1 MiB returns 413 unread', async () => {
  const of = (size: number) => JSON.stringify({ text: 'x'.repeat(size) })
  expect((await kernel.fetch('POST /api/public', asJson, of(60 * 1024))).status).toBe(200)
  const refused = await kernel.fetch('POST /api/public', asJson, of(64 * 1024))
  expect([refused.status, (await refused.json()).detail]).toEqual([413, 'The body is larger than 64 KiB.'])
  expect((await kernel.fetch('POST /api/much', asJson, of(190 * 1024))).status).toBe(200)
  expect((await kernel.fetch('POST /api/much', asJson, of(200 * 1024))).status).toBe(413)
  expect((await kernel.fetch('POST /api/told', { ...known, ...asJson }, of(900 * 1024))).status).toBe(200)
  const url = new URL('/api/public', server.url)
  for (const body of [brackets, new Blob([brackets]).stream()]) {
    const answer = await fetch(url, { method: 'POST', headers: asForm, body })
    expect(await problem(answer)).toEqual([413, 'body_too_large'])
  }
  const refusing = await cost(() => kernel.fetch('POST /api/public', asForm, brackets))
  expect(refusing).toBeLessThan(await readingAll(asForm, brackets))
})

test('PLT-10 422 lists at most 100 errors', async () => {
  const body = JSON.stringify({ list: Array.from({ length: 20_000 }, () => ({ text: 1 })) })
  const answer = await kernel.fetch('POST /api/told', { ...known, ...asJson }, body)
  expect([answer.status, (await answer.json()).errors]).toEqual([422, expect.objectContaining({ length: 100 })])
})

test('PLT-10 query with more than 1,000 parameters returns 400', async () => {
  const answer = await kernel.fetch(`POST /api/public?${'a=1&'.repeat(1_001)}`, asJson, '{}')
  expect(await problem(answer)).toEqual([400, 'malformed'])
})

test.each(['gzip', 'br', 'x-unknown'])(
  'PLT-10 body with Content-Encoding %s returns 415, and the detail says what to do',
  async (encoding) => {
    const headers = { ...asJson, 'content-encoding': encoding }
    const answer = await kernel.fetch('POST /api/public', headers, Bun.gzipSync('{"text":"a"}'))
    expect([answer.status, answer.headers.get('accept-encoding'), (await answer.json()).detail]).toEqual([
      415,
      'identity',
      'Send the body uncompressed, without a Content-Encoding header.',
    ])
    const plain = { ...asJson, 'content-encoding': 'identity' }
    expect((await kernel.fetch('POST /api/public', plain, '{"text":"a"}')).status).toBe(200)
  },
)

test('fields can have the names of Object.prototype members', async () => {
  const reported = async (headers: Record<string, string>, body: string) =>
    (await kernel.fetch('POST /api/public?toString=1&hasOwnProperty=2', headers, body)).json()
  const expected = { toString: '1', hasOwnProperty: '2', valueOf: '3' }
  expect(await reported(asForm, 'valueOf=3')).toEqual(expected)
  expect(await reported(asJson, '{"valueOf":"3"}')).toEqual(expected)
  expect(await reported(asForm, '__proto__.isAdmin=1&__proto__[x]=1&valueOf=3')).toEqual(expected)
  expect(({} as Record<string, unknown>)['isAdmin']).toBeUndefined()
})
