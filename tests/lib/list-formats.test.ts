import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { csvOf } from '#lib/response/csv.ts'
import { operation } from '#lib/operation.ts'
import { openApiDocument } from '#lib/openapi.ts'
import { keyset, paging } from '#lib/paginate.ts'
import { Timestamp } from '#lib/time.ts'
import { contextOf, kernelOf, openKernel, type Kernel } from './kernel.tsx'

const Note = z.object({
  text: z.string(),
  author: z.object({ name: z.string(), age: z.number().optional() }).nullable(),
  tags: z.array(z.string()),
  at: Timestamp.nullable(),
})
const at = new Date('2026-11-22T06:00:00Z')
const stored: Record<string, z.input<typeof Note>> = {
  a: { text: 'plain', author: { name: 'Ada', age: -3 }, tags: ['x', 'y'], at },
  b: { text: '=HYPERLINK("http://evil")', author: { name: '@sum', age: 7 }, tags: [], at: null },
  c: { text: 'two\nlines, "quoted"', author: null, tags: ['-1'], at: null },
}
const order = keyset({ text: [sql`text`, z.string()] })
const input = z.object({ ...paging, tag: z.string().optional() })
const list = operation({
  route: 'GET /api/notes',
  summary: 'List notes',
  permission: 'public',
  input,
  output: z.object({ items: z.array(Note), nextCursor: z.string().nullable() }),
  run: async ({ db, input: page }) => {
    const { where = sql`true`, limit, page: pageOf } = order.slice(page)
    const rows = await db.execute<{ text: string }>(
      sql`SELECT text FROM notes WHERE ${where} ORDER BY text LIMIT ${limit}`,
    )
    const { items, nextCursor } = pageOf([...rows])
    return { items: items.flatMap(({ text }) => stored[text] ?? []), nextCursor }
  },
  view: () => 'drawn',
})

let kernel: Kernel
beforeAll(async () => {
  kernel = await openKernel({ operations: { listNotes: list } })
  await kernel.database.sql`INSERT INTO notes VALUES ('a'), ('b'), ('c')`
})
afterAll(() => kernel.close())

const csv = [
  'text,author.name,author.age,tags,at\r\n',
  'plain,Ada,-3,"[""x"",""y""]",2026-11-22T06:00:00.000Z\r\n',
  `"'=HYPERLINK(""http://evil"")",'@sum,7,[],\r\n`,
  '"two\nlines, ""quoted""",,,"[""-1""]",\r\n',
]

test('PLT-12 list is returned as CSV by Accept, with a column for each field and escaped formulas', async () => {
  const answer = await kernel.fetch('GET /api/notes', { accept: 'text/csv, application/json;q=0.5' })
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present')
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="listNotes.csv"')
  expect(answer.headers.get('link')).toBeNull()
  expect(await answer.text()).toBe(csv.join(''))
})

test('PLT-06 PLT-12 htmx gets a list as a fragment, regardless of what Accept prefers', async () => {
  for (const accept of ['text/csv', 'application/x-ndjson', 'application/json', '*/*']) {
    const answer = await kernel.fetch('GET /api/notes', { accept, 'hx-request': 'true' })
    expect([answer.headers.get('content-type'), await answer.text()]).toEqual(['text/html; charset=utf-8', 'drawn'])
  }
})

test('PLT-12 formulas with full-width characters or after separators of some spreadsheets are escaped too', () => {
  const row = (text: unknown) => csvOf(z.object({ text: z.unknown() }), [{ text }]).slice('text\r\n'.length)
  expect(row('x;=1+1')).toBe(`"x;'=1+1"\r\n`)
  expect(row('x\t@sum\t-1')).toBe(`"x\t'@sum\t'-1"\r\n`)
  for (const sign of '\uFF1D\uFF0B\uFF0D\uFF20') expect(row(`${sign}1+1`)).toBe(`'${sign}1+1\r\n`)
  expect(row('x\n=1+1\r\n\n- one\n\n@two')).toBe(`"x\n'=1+1\r\n\n'- one\n\n'@two"\r\n`)
  expect(row('Fine ;-) and 3; 4')).toBe('"Fine ;-) and 3; 4"\r\n')
  const [, cell = ''] = /^"(.*)"\r\n$/.exec(row(['a;=1'])) ?? []
  expect(cell).not.toContain(';')
  expect(JSON.parse(cell.replaceAll('""', '"'))).toEqual(['a;=1'])
})

test('PLT-12 list is returned as NDJSON with ?format=, even with a browser’s Accept', async () => {
  for (const accept of ['*/*', 'text/html']) {
    const answer = await kernel.fetch('GET /api/notes?format=ndjson', { accept })
    expect(answer.headers.get('content-type')).toBe('application/x-ndjson')
    const lines = (await answer.text()).trimEnd().split('\n')
    expect(lines.map((line) => z.object({ text: z.string() }).parse(JSON.parse(line)).text)).toEqual(
      Object.values(stored).map(({ text }) => text),
    )
  }
})

test('PLT-12 Link points to the next page in the same format, with the cursors of the JSON list', async () => {
  const first = await kernel.fetch('GET /api/notes?limit=2&format=csv&tag=%26')
  expect(await first.text()).toBe(csv.slice(0, 3).join(''))
  const json = z.object({ nextCursor: z.string() })
  const { nextCursor } = json.parse(await (await kernel.fetch('GET /api/notes?limit=2')).json())
  const link = `</api/notes?limit=2&format=csv&tag=%26&cursor=${nextCursor}>; rel="next"`
  expect(first.headers.get('link')).toBe(link)
  const next = await kernel.fetch(`GET ${/<(.*)>/.exec(link)?.[1]}`)
  expect([await next.text(), next.headers.get('link')]).toEqual([`${csv[0]}${csv[3]}`, null])
})

test('PLT-12 JSON and HTML are unchanged unless another format is preferred', async () => {
  for (const accept of ['*/*', 'application/json, text/csv', 'text/csv;q=0.1, */*', 'image/png']) {
    const answer = await kernel.fetch('GET /api/notes', { accept })
    expect(answer.headers.get('content-type')).toBe('application/json')
  }
  expect((await kernel.fetch('GET /api/notes?format=json', { accept: 'text/csv' })).headers.get('content-type')).toBe(
    'application/json',
  )
  expect(await (await kernel.fetch('GET /api/notes', { accept: 'text/html,text/csv' })).text()).toBe('drawn')
})

test('PLT-10 unknown format of a list returns 422 and lists the supported ones', async () => {
  for (const query of ['format=xml', 'format=', 'format=csv&format=json']) {
    const answer = await kernel.fetch(`GET /api/notes?${query}`)
    expect(answer.status).toBe(422)
    expect(await answer.json()).toMatchObject({
      errors: [{ path: 'format', message: 'Must be one of: json, csv, ndjson.' }],
    })
  }
})

test('startup fails for a list operation with an input named "format"', () => {
  const listNotes = { ...list, input: input.extend({ format: z.string() }) }
  expect(() => kernelOf([contextOf({ operations: { listNotes } })])).toThrow('listNotes lists items, so "format"')
})

test('PLT-15 description of a list contains its formats, their media types and the Link header', () => {
  const context = contextOf({ operations: { listNotes: list } })
  const { paths } = openApiDocument([context], {
    info: { title: 'Test', version: '1' },
    url: '/',
    sessionCookie: 'session',
  })
  const { parameters = [], responses } = paths['/api/notes']?.['get'] ?? {}
  expect(parameters.find(({ name }) => name === 'format')).toMatchObject({
    in: 'query',
    required: false,
    schema: { enum: ['json', 'csv', 'ndjson'] },
  })
  const { content = {}, headers = {} } = responses?.['200'] ?? {}
  expect(Object.keys(content)).toEqual(['application/json', 'text/csv', 'application/x-ndjson'])
  expect(content['application/x-ndjson']?.['x-itemSchema']).toMatchObject({ properties: { text: { type: 'string' } } })
  expect(Object.keys(headers)).toEqual(['Link'])
})
