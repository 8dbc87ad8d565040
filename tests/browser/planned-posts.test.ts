import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { openDatabase } from '#lib/db.ts'
import type { Post, PostList } from '#social/types'
import { waitUntil } from '../boot/program.ts'
import { axe } from '../support/browser.ts'
import { createPublisher, main, openAs, openTestSite, type Publisher, type TestSite } from './test-site.ts'

let site: TestSite
let ada: Publisher

beforeAll(async () => {
  site = await openTestSite()
  ada = await createPublisher(site)
  await ada.fetchJson(`PUT /api/brands/${ada.brandId}`, { reviewPolicy: { approvals: 1, allowAuthor: false } })
})
afterAll(() => site.close())

const open = (path: string, who = ada.person) => openAs(site, who, path)
const button = (page: Page, name: string) => main(page).getByRole('button', { name, exact: true })
const findPost = async (text: string): Promise<Post> => {
  const { items } = await ada.fetchJson<PostList>(`GET /api/posts?brandId=${ada.brandId}&q=${encodeURIComponent(text)}`)
  const [post] = items
  if (!post) throw new Error(`No post: ${text}`)
  return post
}

/** A colleague who can review. */
async function joinReviewer(): Promise<Publisher> {
  const [ben, other] = [await createPublisher(site, { name: 'Ben Carter' }), await createPublisher(site)]
  const { sql, close } = openDatabase(site.database.url, 1)
  // Every organization keeps an owner.
  await sql`INSERT INTO identity.memberships (organization_id, user_id, role, created_at)
    SELECT ${ben.organizationId}, id, 'owner', now() FROM identity.users WHERE email = ${other.person.email}`
  await sql`UPDATE identity.memberships SET organization_id = ${ada.organizationId}, role = 'reviewer'
    WHERE organization_id = ${ben.organizationId} AND user_id = (SELECT id FROM identity.users WHERE email = ${ben.person.email})`
  await close()
  return ben
}

async function write(page: Page, text: string, at?: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Text' }).fill(text)
  await main(page).getByRole('group', { name: 'Publish to' }).getByRole('checkbox').first().check()
  if (at === undefined) return
  const [date = '', time = ''] = at.split('T')
  await page.getByLabel('Date').fill(date)
  await page.getByLabel('Time', { exact: true }).fill(time)
}

test('SOC-32 SOC-34 post is planned, reviewed by a colleague, scheduled for its time by the approval, and published once', async () => {
  const text = 'Planned and reviewed'
  const { page, errors } = await open(`/workspace/posts/new?brandId=${ada.brandId}`)
  await main(page).getByText('Acme Coffee requires 1 approval').waitFor()
  expect(await main(page).getByText('Publish now').count()).toBe(0)
  await write(page, text, '2099-06-02T09:00')
  await main(page).getByText('once it is approved').waitFor()
  await button(page, 'Request review').click()
  await main(page)
    .getByText(/^Planned for Tue\w* 2 June, 09:00 \(CEST\)/)
    .waitFor()
  await main(page).getByText('It is scheduled for this time once it is approved.').waitFor()
  expect(await button(page, 'Publish now').count()).toBe(0)
  expect(await axe(page)).toEqual([])
  const { id, status, reviewState, scheduledAt } = await findPost(text)
  expect([status, reviewState, scheduledAt]).toEqual(['draft', 'requested', '2099-06-02T07:00:00.000Z'])
  const ben = await joinReviewer()
  const { page: review } = await open(`/workspace/feed?brandId=${ada.brandId}`, ben.person)
  const card = main(review).getByRole('article', { name: text })
  await card.getByText('planned for').waitFor()
  await card.getByRole('button', { name: 'Approve' }).click()
  await waitUntil(async () => (await findPost(text)).status === 'scheduled')
  expect((await findPost(text)).scheduledAt).toBe(scheduledAt)
  await main(page)
    .getByText(/^Scheduled for Tue\w* 2 June, 09:00 \(CEST\)/)
    .waitFor()
  await ada.fetchJson(`PATCH /api/calendar/${id}`, { scheduledAt: new Date(Date.now() + 1_500).toISOString() })
  await waitUntil(async () => (await findPost(text)).status === 'published')
  const network = await fetch(`${site.server.url}/dev/sandbox/api/accounts/${ada.handle}/posts`)
  const received: unknown = await network.json()
  expect(JSON.stringify(received).split(text)).toHaveLength(2)
  expect(errors).toEqual([])
})

test('SOC-32 draft keeps its entered time, which the composer proposes again, and not a time that no one entered', async () => {
  const { page } = await open(`/workspace/posts/new?brandId=${ada.brandId}`)
  await write(page, 'Kept for later', '2099-06-03T10:00')
  await button(page, 'Save draft').click()
  await main(page)
    .getByText(/^Planned for Wed\w* 3 June, 10:00 \(CEST\)/)
    .waitFor()
  const { id } = await findPost('Kept for later')
  await page.goto(`${site.server.url}/workspace/posts/${id}/edit?brandId=${ada.brandId}`)
  expect(await page.getByLabel('Date').inputValue()).toBe('2099-06-03')
  await page.getByText('No time yet').click()
  await button(page, 'Save draft').click()
  await waitUntil(async () => (await findPost('Kept for later')).scheduledAt === null)
  await page.goto(`${site.server.url}/workspace/posts/new?brandId=${ada.brandId}`)
  await write(page, 'Without a plan')
  await button(page, 'Save draft').click()
  await main(page).getByText('Draft, not scheduled').waitFor()
  expect((await findPost('Without a plan')).scheduledAt).toBeNull()
})

test('SOC-49 edit that voids an approval leads to another review instead of a refusal, and keeps the planned time', async () => {
  const post = await ada.fetchJson<Post>('POST /api/posts', {
    brandId: ada.brandId,
    provider: 'sandbox',
    text: 'Approved once',
    status: 'draft',
    scheduledAt: '2099-06-04T10:00',
  })
  const ben = await joinReviewer()
  const { page: review } = await open(`/workspace/posts/${post.id}?brandId=${ada.brandId}`, ben.person)
  await button(review, 'Approve').click()
  const { page } = await open(`/workspace/posts/${post.id}/edit?brandId=${ada.brandId}`)
  await page.getByRole('textbox', { name: 'Text' }).fill('Edited after the approval')
  await button(page, 'Schedule').click()
  await page.getByText('needs an approval before it can be published').first().waitFor()
  await button(page, 'Request review').click()
  await waitUntil(async () => (await ada.fetchJson<Post>(`GET /api/posts/${post.id}`)).reviewState === 'requested')
  expect(await findPost('Edited after the approval')).toMatchObject({ status: 'draft', scheduledAt: post.scheduledAt })
})

test.each([1440, 360])('SOC-34 planned draft is marked in the calendar, and filtered, at %d px', async (width) => {
  const { page } = await openAs(site, ada.person, `/workspace/calendar?brandId=${ada.brandId}&date=2099-06-04`, {
    width,
  })
  const event = main(page).locator('.event[data-state="draft"]').first()
  await event.getByText('Edited after').waitFor()
  expect(await event.textContent()).toContain('In review, not scheduled')
  expect(await axe(page)).toEqual([])
  await main(page).getByLabel('State').selectOption('draft')
  await page.waitForURL(/status=draft/)
  await event.getByText('Edited after').waitFor()
})

test('SOC-32 guest sees the planned time of a post in the zone of its brand', async () => {
  const post = await findPost('Edited after the approval')
  const link = { brandId: ada.brandId, postIds: [post.id], guestName: 'Petra' }
  const { url } = await ada.fetchJson<{ url: string }>('POST /api/review-links', link)
  const { page } = await openAs(site, ada.person, new URL(url).pathname)
  await page.getByText(/planned for Thu\w* 4 June, 10:00/).waitFor()
})
