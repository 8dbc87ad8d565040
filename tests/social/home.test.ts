import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { SocialDashboard } from '#social/types'
import { localDay, wallTime } from '#lib/time.ts'
import { openSocialServer, type SocialServer } from './social-server.ts'
import { createWriter, markFailed, markPublished, type Writer } from './writer.ts'

let desk: SocialServer
beforeAll(async () => {
  desk = await openSocialServer({ pages: true })
})
afterAll(() => desk.close())

const permissions = ['posts:read', 'posts:write', 'accounts:read', 'accounts:write', 'brands:write', 'dashboard:read']
const createReader = () => createWriter(desk, desk.person({ permissions }))
const read = async ({ person, brand }: Writer) =>
  (await person.fetch<SocialDashboard>(`GET /api/dashboard?brandId=${brand.id}`)).body

/** 10:00 on a day from today, as the brand has it. */
function dayAfter({ brand }: Writer, days: number) {
  const day = Temporal.PlainDate.from(localDay(new Date(), brand.timeZone)).add({ days }).toString()
  return { day, scheduledAt: `${day}T10:00`, timeZone: brand.timeZone, status: 'scheduled' }
}

test('SOC-36 dashboard of a new brand is empty, and its week begins tomorrow', async () => {
  const ada = await createReader()
  const dashboard = await read(ada)
  expect(dashboard).toMatchObject({
    brandId: ada.brand.id,
    timeZone: 'Europe/Berlin',
    day: dayAfter(ada, 0).day,
    attention: { failedPosts: [], accounts: [], unreadyPosts: [] },
    today: [],
    published: [],
  })
  expect(dashboard.week).toEqual(
    [1, 2, 3, 4, 5, 6, 7].map((days) => ({ day: dayAfter(ada, days).day, posts: 0, providers: [], freeSlots: 0 })),
  )
})

test('SOC-36 days ahead count their posts and free slots, and nothing beyond the seventh day', async () => {
  const ada = await createReader()
  const everyDay = [1, 2, 3, 4, 5, 6, 7].flatMap((day) => [
    { day, time: '10:00' },
    { day, time: '23:59' },
  ])
  await ada.person.fetch(`PUT /api/brands/${ada.brand.id}`, { queueSlots: everyDay })
  for (const days of [1, 1, 7, 8]) {
    const { day: _, ...when } = dayAfter(ada, days)
    expect((await ada.write(when)).status).toBe(201)
  }
  const { week } = await read(ada)
  expect(week.map(({ posts }) => posts)).toEqual([2, 0, 0, 0, 0, 0, 1])
  expect(week.map(({ freeSlots }) => freeSlots)).toEqual([1, 2, 2, 2, 2, 2, 1])
  expect(week[0]?.providers).toEqual(['sandbox'])
})

test('SOC-36 failed posts need attention, published ones are listed, and those of today too, without drafts', async () => {
  const ada = await createReader()
  const [failed, published] = [await ada.scheduled('Broken'), await ada.scheduled('Out')]
  const noon = wallTime(`${dayAfter(ada, 0).day}T12:00`, ada.brand.timeZone)
  await desk.database.sql`UPDATE social.posts SET scheduled_at = ${noon} WHERE brand_id = ${ada.brand.id}`
  await ada.write({ text: 'No time yet' })
  await markFailed(desk, failed.id)
  await markPublished(desk, published.id)
  const { attention, today, published: out } = await read(ada)
  expect(attention.failedPosts.map(({ text }) => text)).toEqual(['Broken'])
  expect(out.map(({ text }) => text)).toEqual(['Out'])
  expect(today.map(({ text }) => text).toSorted((one, other) => one.localeCompare(other))).toEqual(['Broken', 'Out'])
})

test('SOC-36 SOC-40 dashboard needs the permission to read posts, and shows no brand of another organization', async () => {
  const ada = await createReader()
  const path = `GET /api/dashboard?brandId=${ada.brand.id}`
  const organization = ada.person.organization
  expect((await desk.person({ organization, permissions: ['posts:read'] }).fetch(path)).status).toBe(403)
  expect((await desk.person({ organization, permissions: ['dashboard:read'] }).fetch(path)).status).toBe(403)
  expect((await desk.person({ permissions }).fetch(path)).status).toBe(404)
  const withoutAccounts = desk.person({ organization, permissions: ['posts:read', 'dashboard:read'] })
  expect((await withoutAccounts.fetch<SocialDashboard>(path)).body.attention.accounts).toBeNull()
})

test('SOC-36 fragment shows what needs attention, today and the week ahead, and reloads with the posts', async () => {
  const ada = await createReader()
  const failed = await ada.scheduled('Latte & art')
  await markFailed(desk, failed.id)
  const fragment = await ada.person.draw(`GET /api/dashboard?brandId=${ada.brand.id}`)
  for (const words of [
    'Needs attention',
    'Latte &amp; art',
    'Today',
    'Week ahead',
    `data-live="posts:${ada.brand.id}"`,
  ])
    expect(fragment).toContain(words)
})

test('SOC-36 home page opens a brand whose dashboard the person can read', async () => {
  const ada = await createReader()
  const { organization } = ada.person
  const second = (await ada.person.fetch<{ id: string }>('POST /api/brands', { name: 'Bakery' })).body
  const limits = [
    { brandId: ada.brand.id, permissions: ['posts:read'] },
    { brandId: second.id, permissions: ['posts:read', 'dashboard:read'] },
  ]
  const friend = desk.person({ organization, permissions: ['posts:read', 'dashboard:read'], limits })
  const page = await friend.send('GET /workspace', undefined, { accept: 'text/html' })
  expect(page.status).toBe(200)
  expect(await page.text()).toContain(`data-live="posts:${second.id}"`)
  expect((await friend.send(`GET /workspace?brandId=${ada.brand.id}`)).status).toBe(404)
})

test('SOC-36 dashboard shows the accounts that need a person, however many others the brand has', async () => {
  const ada = await createReader()
  const { database } = desk
  const groups = database.sql.json({ groups: [{ id: '5', name: 'Roasters' }] })
  const none = database.sql.json({})
  const add = (name: string, health: string, metadata: typeof none) => database.sql`
    INSERT INTO social.connections (id, brand_id, provider, owner_id, external_id, name, health, metadata)
    VALUES (gen_random_uuid(), ${ada.brand.id}, 'facebook', ${ada.person.id}, ${name}, ${name}, ${health}, ${metadata})`
  await database.sql`
    INSERT INTO social.connections (id, brand_id, provider, owner_id, external_id, name)
    SELECT ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, ${ada.brand.id}, 'sandbox', ${ada.person.id}, n::text, n::text
    FROM generate_series(1, 120) n`
  await add('Warned', 'ok', groups)
  await add('Signed out', 'signed_out', none)
  await add('Inactive', 'signed_out', groups)
  await database.sql`UPDATE social.connections SET active = false, deactivated_at = now() WHERE external_id = 'Inactive'`
  const { attention } = await read(ada)
  expect(attention.accounts?.map(({ account }) => account.name)).toEqual(['Signed out', 'Warned'])
})
