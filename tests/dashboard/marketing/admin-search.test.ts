import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sql, type SQLWrapper } from 'drizzle-orm'
import { selectCheckouts } from '../../../src/dashboard/checkout/admin/list.ts'
import { selectInbox } from '../../../src/dashboard/marketing/inbox/store.ts'
import { openWorld, type World } from '../../support/world.ts'

interface Page<Item> {
  items: Item[]
  nextCursor: string | null
}

let world: World
beforeAll(async () => {
  world = await openWorld()
  await world.database.sql`
    INSERT INTO dashboard.checkouts (id, package, seats, email, organization_name, secret_hash, state, created_at)
    SELECT gen_random_uuid(), 'three', 2, 'buyer' || n || '@buyers.example', 'Bakery ' || n, 'x',
      CASE WHEN n = 7 THEN 'abandoned' ELSE 'open' END, now()
    FROM generate_series(1, 30) n`
})
afterAll(() => world.close())

const inbox = async (query: string) =>
  (await world.root.fetchJson<Page<{ message: string }>>(`GET /api/admin/inbox?${query}`)).items
const checkouts = (query: string) =>
  world.root.fetchJson<Page<{ email: string; organizationName: string }>>(`GET /api/admin/checkouts?${query}`)

test('DSH-30 inbox is searched by beginnings of words of name, address and message, whatever they contain', async () => {
  const long = 'x'.repeat(3_000)
  const send = (message: string) =>
    world.stranger.fetchJson<{ reference: string }>(
      'POST /api/contact',
      { name: 'Zoë Quist', email: 'zoe@mail.quist.example', message },
      201,
    )
  const { reference } = await send(
    `Our agency has "forty" brands, (really) at https://fifty.example/shop-four; ${long}`,
  )
  await send('Can’t we meet?')
  for (const q of ['agency', 'AGEN', 'forty', 'really', 'zoë bran', 'zoe@mail.quist.example agency', 'x'.repeat(90)])
    expect([q, await inbox(new URLSearchParams({ q }).toString())]).toMatchObject([
      q,
      [{ message: expect.stringContaining('agency') }],
    ])
  for (const q of [reference, reference.toLowerCase(), 'fifty.example', 'four'])
    expect([q, await inbox(new URLSearchParams({ q }).toString())]).toMatchObject([
      q,
      [{ message: expect.stringContaining('agency') }],
    ])
  for (const q of ['zoe', 'mail.quist.example', '@mail.quist'])
    expect([q, await inbox(`q=${q}`)]).toMatchObject([q, [{}, {}]])
  expect(await inbox('q=can’t')).toHaveLength(1)
  for (const q of ['gency', 'agency elsewhere', String.raw`'\ & | ! :* <->`, '%', '""'])
    expect([q, await inbox(new URLSearchParams({ q }).toString())]).toEqual([q, []])
})

test('DSH-30 super admins find checkouts by email, its domain, organization and state, in pages', async () => {
  expect((await checkouts('q=buyer7@')).items).toMatchObject([{ email: 'buyer7@buyers.example' }])
  expect((await checkouts('q=buyers.example&limit=100')).items).toHaveLength(30)
  expect((await checkouts('q=bakery+12')).items).toMatchObject([{ organizationName: 'Bakery 12' }])
  expect((await checkouts('q=bakery&state=abandoned')).items).toMatchObject([{ organizationName: 'Bakery 7' }])
  const seen: string[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: Page<{ email: string }> = await checkouts(`q=bakery&limit=8${cursor && `&cursor=${cursor}`}`)
    seen.push(...page.items.map(({ email }) => email))
    cursor = page.nextCursor
  }
  expect(seen).toHaveLength(30)
  expect(new Set(seen).size).toBe(30)
  for (const caller of [world.ada, world.vera]) {
    expect((await caller.fetch('GET /api/admin/checkouts')).status).toBe(403)
    expect((await caller.fetch('GET /admin/checkouts')).status).toBe(403)
  }
  const page = await (await world.root.fetch('GET /admin/checkouts?q=buyer7@')).text()
  expect(page).toContain('Bakery 7')
  expect(page).toContain('Abandoned')
  expect(page).not.toContain('Bakery 8')
  const filtered = await (await world.root.fetch('GET /admin/checkouts?state=abandoned')).text()
  expect(filtered).toContain('<option value="abandoned" selected>Abandoned</option>')
  expect(filtered).toContain('Bakery 7')
  expect(filtered).not.toContain('Bakery 12')
  expect(await (await world.root.fetch('GET /admin/checkouts?q=nowhere')).text()).toContain('No results')
  expect(JSON.stringify(await checkouts('q=bakery'))).not.toContain('secretHash')
})

test('DSH-30 searches of the inbox and of checkouts use an index', async () => {
  const { db } = world.database
  const planOf = (query: SQLWrapper) =>
    db.transaction(async (tx) => {
      await tx.execute(sql`SET LOCAL enable_seqscan = off`)
      await tx.execute(sql`SET LOCAL enable_indexscan = off`)
      return JSON.stringify(await tx.execute(sql`EXPLAIN ${query.getSQL()}`))
    })
  expect(await planOf(selectInbox(db, { q: 'petra', limit: 50 }))).toContain('inquiries_words')
  expect(await planOf(selectCheckouts(db, { q: 'petra', limit: 50 }))).toContain('checkouts_words')
})
