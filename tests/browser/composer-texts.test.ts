import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import type { Post, PostList } from '#social/types'
import { axe } from '../support/browser.ts'
import { administer } from '../support/database.ts'
import { createPublisher, openTestSite, type Publisher, type TestSite } from './test-site.ts'

let stage: TestSite
let ada: Publisher

beforeAll(async () => {
  stage = await openTestSite()
  ada = await createPublisher(stage)
  await administer(
    stage.database.url,
    (sql) => sql`
      INSERT INTO social.connections (id, brand_id, provider, owner_id, external_id, name, metadata)
      SELECT gen_random_uuid(), ${ada.brandId}, provider, gen_random_uuid(), provider, 'acme', '{"username": "acme", "isSubscribed": false}'
      FROM unnest(ARRAY['x', 'bluesky', 'linkedin']) AS provider`,
  )
})
afterAll(() => stage.close())

const open = () => ada.open(`/workspace/posts/new?brandId=${ada.brandId}`)
const choose = async (page: Page, ...networks: string[]) => {
  for (const network of networks)
    await page.locator('label.chip', { hasText: new RegExp(`^\\S*${network}: acme`) }).click()
}
const tab = (page: Page, name: string | RegExp) => page.getByRole('tab', { name })
const field = (page: Page, name: string) => page.getByLabel(name, { exact: true })
const saved = (page: Page) => page.locator('#saved-state', { hasText: /^Saved \d\d:\d\d$/ }).waitFor()

/** Of the newest submission, by network and position. */
async function newest(): Promise<unknown[]> {
  const { items } = await ada.fetchJson<PostList>(`GET /api/posts?brandId=${ada.brandId}&limit=1`)
  const group = items[0]?.groupId
  const { items: all } = await ada.fetchJson<{ items: Post[] }>(`GET /api/posts?groupId=${group}`)
  return all.map(({ provider, text }) => [provider, text])
}

test('SOC-14 a network gets its own text: its tab says so, shows the changes, and a reload keeps it', async () => {
  const { page, errors } = await open()
  await field(page, 'Text').fill('Maple oat latte is back from Monday.')
  expect(await page.getByRole('tablist', { name: 'Text per network' }).isVisible()).toBe(false)
  await choose(page, 'X', 'Bluesky', 'LinkedIn')
  await tab(page, 'X').click()
  expect(await field(page, 'Text for X').inputValue()).toBe('Maple oat latte is back from Monday.')
  await page.getByText('X gets the shared text.').waitFor()
  await field(page, 'Text for X').fill('Maple oat latte is back on Monday.')
  await tab(page, 'X custom').waitFor()
  await page.getByRole('button', { name: 'Show changes' }).click()
  expect([await page.locator('ins').innerText(), await page.locator('del').innerText()]).toEqual(['on', 'from'])
  expect(await axe(page)).toEqual([])
  await saved(page)
  await page.reload()
  await tab(page, 'X custom').click()
  expect(await field(page, 'Text for X').inputValue()).toBe('Maple oat latte is back on Monday.')
  await tab(page, 'All networks').click()
  expect(await field(page, 'Text').inputValue()).toBe('Maple oat latte is back from Monday.')
  await page.getByText('Save as draft').click()
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.waitForURL(({ pathname }) => !pathname.endsWith('/new'))
  expect(await newest()).toEqual([
    ['x', 'Maple oat latte is back on Monday.'],
    ['linkedin', 'Maple oat latte is back from Monday.'],
    ['bluesky', 'Maple oat latte is back from Monday.'],
  ])
  expect(errors).toEqual([])
})

test('SOC-14 a network gets a thread of its own, and its reset can be undone', async () => {
  const { page, errors } = await open()
  await field(page, 'Text').fill('One')
  await choose(page, 'X', 'LinkedIn')
  await tab(page, 'X').press('ArrowLeft')
  await tab(page, 'All networks').press('ArrowRight')
  await page.getByRole('button', { name: 'Add to thread' }).click()
  await field(page, 'Post 2 of 2 for X').fill('Two, only on X')
  await page.getByText('X has its own text: 1 more post.').waitFor()
  await page.getByRole('button', { name: 'Reset to shared text' }).click()
  expect(await field(page, 'Text for X').inputValue()).toBe('One')
  await page.getByRole('button', { name: 'Undo reset' }).click()
  expect(await field(page, 'Post 2 of 2 for X').inputValue()).toBe('Two, only on X')
  await tab(page, 'All networks').click()
  await field(page, 'Text').fill('One, edited')
  await page.getByText('Save as draft').click()
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.waitForURL(({ pathname }) => !pathname.endsWith('/new'))
  expect(await newest()).toEqual([
    ['x', 'One'],
    ['x', 'Two, only on X'],
    ['linkedin', 'One, edited'],
  ])
  expect(errors).toEqual([])
})

test('SOC-14 a text that its network doesn’t accept is shown in its tab, and counted per network', async () => {
  const { page } = await open()
  await field(page, 'Text').fill('Short')
  await choose(page, 'X', 'LinkedIn')
  await tab(page, 'X').click()
  await field(page, 'Text for X').fill('x'.repeat(281))
  await page.locator('#counts').getByText('281 / 280, 1 over').waitFor()
  await page.locator('#counts').getByText('5 / 3,000').waitFor()
  await tab(page, 'All networks').click()
  await page.getByRole('button', { name: 'Schedule 2 posts' }).click()
  await page.getByText('Shorten the text by 1. X allows 280 characters.').waitFor()
  expect(await tab(page, /^X/).getAttribute('aria-selected')).toBe('true')
  await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Text for X')
  await field(page, 'Text for X').fill('')
  await page.getByRole('button', { name: 'Schedule 2 posts' }).click()
  await page.getByText('Enter some text.').waitFor()
})
