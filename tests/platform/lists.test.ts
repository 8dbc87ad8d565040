import { afterAll, beforeAll, expect, test } from 'bun:test'
import { z } from 'zod'
import { requestFor, allowedCaller } from '../operations/send-request.ts'
import { operations } from '../operations/every.ts'
import { openStripe, type StripeServer } from '../gateway/stripe/server.ts'
import { fieldsOf } from '../operations/fields.ts'
import { samplesOf } from '../operations/samples.ts'
import { openWorld, type World } from '../support/world.ts'

let world: World
let stripe: StripeServer
beforeAll(async () => {
  stripe = await openStripe()
  world = await openWorld({ apps: true, stripe })
})
afterAll(async () => {
  await world.close()
  await stripe.stop()
})

const Page = z.object({ items: z.array(z.object({ id: z.string() })), nextCursor: z.string().nullable() })
type Page = z.infer<typeof Page>

const page = async (list: string, query = ''): Promise<Page> =>
  Page.parse(await world.mallory.fetchJson(`GET ${list}${list.includes('?') ? '&' : '?'}${query}`))
const idsOf = ({ items }: Page) => items.map(({ id }) => id)

/** The ids of a whole list, read by pages of `limit`; `between` runs after each page. */
async function walk(list: string, limit: number, between: () => Promise<unknown> = async () => {}): Promise<string[]> {
  const ids: string[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const got: Page = await page(list, `limit=${limit}${cursor && `&cursor=${cursor}`}`)
    expect(got.items.length).toBeLessThanOrEqual(limit)
    ids.push(...idsOf(got))
    cursor = got.nextCursor
    await between()
  }
  return ids
}

let made = 0
const make = (route: string, body: Record<string, unknown>) => world.mallory.fetchJson(`POST ${route}`, body, 201)
/** The lists of this product, and how each gets a new item. */
const lists: [string, () => Promise<unknown>][] = [
  ['/api/brands', () => make('/api/brands', { name: `Brand ${(made += 1)}` })],
  [
    '/api/accounts',
    () =>
      make('/api/integrations/sandbox/connect', { brandId: world.mallory.things.brands, handle: `new-${(made += 1)}` }),
  ],
  ['/api/posts', () => make('/api/posts', draft())],
  ['/api/posts?status=scheduled', () => make('/api/posts', { ...draft(), status: 'scheduled', scheduledAt: soon() })],
]
const draft = () => ({
  brandId: world.mallory.things.brands,
  provider: 'sandbox',
  text: `Post ${(made += 1)}`,
})
/** Times in alternating order: some new rows come before a reader's position, some after it. */
const soon = () => new Date(Date.now() + ((made * 7919) % 1000) * 60_000 + 60_000).toISOString()

test.each(lists)('PLT-12 %s returns every item once across pages while items are added', async (list, add) => {
  for (let count = 0; count < 9; count++) await add()
  const before = idsOf(await page(list, 'limit=100'))
  expect(before.length).toBeGreaterThanOrEqual(9)
  expect(await walk(list, 2)).toEqual(before)
  let additions = 0
  const during = await walk(list, 2, async () => {
    if (additions++ < 4) await add()
  })
  expect(new Set(during).size).toBe(during.length)
  expect(during).toEqual(expect.arrayContaining(before))
  expect(await walk(list, 100)).toEqual(idsOf(await page(list, 'limit=100')))
})

test.each(lists)('PLT-12 %s has pages of 20 items by default and 1 to 100 on request', async (list, add) => {
  const missing = 23 - (await page(list, 'limit=100')).items.length
  for (let count = 0; count < missing; count++) await add()
  expect((await page(list)).items).toHaveLength(20)
  expect((await page(list, 'limit=1')).items).toHaveLength(1)
  for (const limit of ['0', '101', '-1', '1.5', 'all', '1e9', '']) {
    const answer = await world.mallory.fetch(`GET ${list}${list.includes('?') ? '&' : '?'}limit=${limit}`)
    expect([limit, answer.status, await answer.json()]).toMatchObject([limit, 422, { errors: [{ path: 'limit' }] }])
  }
})

test.each(lists)('PLT-12 %s ends with nextCursor null, even when the last page is full', async (list) => {
  const all = await walk(list, 100)
  const half = await page(list, `limit=${Math.ceil(all.length / 2)}`)
  expect(half.nextCursor).toBeString()
  const rest = await page(list, `limit=${all.length - half.items.length}&cursor=${half.nextCursor}`)
  expect([idsOf(half).length + idsOf(rest).length, rest.nextCursor]).toEqual([all.length, null])
})

const cursorOf = (place: unknown) => Buffer.from(JSON.stringify(place)).toString('base64url')
const foreign = [
  'nonsense',
  '%00',
  "';DROP TABLE social.posts;--",
  cursorOf({}),
  cursorOf(null),
  cursorOf([Bun.randomUUIDv7()]),
  cursorOf({ id: 'x', at: new Date() }),
  cursorOf({ id: { gt: 0 }, at: new Date() }),
  'x'.repeat(600),
]

test.each(lists)('PLT-12 %s rejects a cursor from another list with 422', async (list) => {
  for (const cursor of foreign) {
    const answer = await world.mallory.fetch(
      `GET ${list}${list.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}`,
    )
    expect([cursor, answer.status, await answer.json()]).toMatchObject([cursor, 422, { errors: [{ path: 'cursor' }] }])
  }
})

const someId = Bun.randomUUIDv7()
/** A cursor as a list writes it, except for one value that no row has. */
const tampered = [
  ...foreign,
  ...['\0', '-----------', '2026-02-31 10:00:00+00', '0000-01-01T00:00:00Z', 7, null].flatMap((value) => [
    cursorOf({ id: value }),
    cursorOf({ at: value, id: someId }),
    cursorOf({ position: value === 7 ? -1 : value }),
    cursorOf({ rests: value, id: someId }),
  ]),
  cursorOf({ name: '\0', id: someId }),
  cursorOf({ name: 'x', at: '2026-02-01T10:00:00Z', id: someId }),
]
const paged = operations.filter(
  ({ method, input }) => method === 'GET' && fieldsOf(input).some((path) => path.join('.') === 'cursor'),
)

test('PLT-12 every list rejects tampered cursors and names the field', async () => {
  expect(paged.length).toBeGreaterThan(15)
  for (const list of paged) {
    const caller = allowedCaller(list, world)
    const [sample = {}] = samplesOf(list, world)
    const send = (part: object) => {
      const { route, body } = requestFor(list, { ...sample, ...part })
      return caller.fetch(route, body)
    }
    // Work that is done in parts has no limit.
    const hasLimit = fieldsOf(list.input).some((path) => path.join('.') === 'limit')
    const answered = await send(hasLimit ? { limit: 1 } : {})
    expect([list.name, answered.status]).toEqual([list.name, 200])
    for (const cursor of tampered) {
      const answer = await send({ cursor })
      expect([list.name, cursor, answer.status, await answer.json()]).toMatchObject([
        list.name,
        cursor,
        422,
        { errors: [{ path: 'cursor' }] },
      ])
    }
  }
})

test('PLT-12 PLT-23 another organization’s cursor reveals none of its data', async () => {
  const { nextCursor } = await page('/api/posts', 'limit=1')
  const seen = Page.parse(await world.ada.fetchJson(`GET /api/posts?limit=100&cursor=${nextCursor}`))
  const hers = new Set(idsOf(Page.parse(await world.ada.fetchJson('GET /api/posts?limit=100'))))
  expect(idsOf(seen).filter((id) => !hers.has(id))).toEqual([])
})

test('PLT-12 no list uses OFFSET', async () => {
  const files = [...new Bun.Glob('src/**/*.{ts,tsx}').scanSync('.')]
  const texts = await Promise.all(files.map(async (file) => ({ file, text: await Bun.file(file).text() })))
  expect(texts.length).toBeGreaterThan(60)
  expect(
    texts.filter(({ text }) => /\.offset\s*\(|\boffset \$\{|\boffset [1-9]/i.test(text)).map(({ file }) => file),
  ).toEqual([])
})
