import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import type { Post, PostList } from '#social/types'
import { axe } from '../support/browser.ts'
import { administer } from '../support/database.ts'
import { serveWebPage } from '../support/web-page.ts'
import { createPublisher, main, openTestSite, type Publisher, type TestSite } from './test-site.ts'

let stage: TestSite
let ada: Publisher

beforeAll(async () => {
  stage = await openTestSite()
  ada = await createPublisher(stage)
  await administer(
    stage.database.url,
    (sql) => sql`
      INSERT INTO social.connections (id, brand_id, provider, owner_id, external_id, name, metadata)
      SELECT gen_random_uuid(), ${ada.brandId}, provider, gen_random_uuid(), provider, 'acme',
        '{"username": "acme", "isSubscribed": false}'
      FROM unnest(ARRAY['x', 'bluesky', 'linkedin']) AS provider`,
  )
})
afterAll(() => stage.close())

const newPost = () => ada.open(`/workspace/posts/new?brandId=${ada.brandId}`)
const choose = (page: Page, network: string) =>
  page.locator('label.chip', { hasText: new RegExp(`^\\S*${network}: acme`) }).click()
const write = (page: Page, text: string) => page.getByLabel('Text', { exact: true }).fill(text)
const field = (page: Page) => page.getByRole('group', { name: 'Link preview' })
const add = (page: Page) => page.getByRole('button', { name: 'Add link preview' })
const remove = (page: Page) => page.getByRole('button', { name: 'Remove link preview' })
const shown = (page: Page, network: string) => page.getByRole('article', { name: `On ${network}`, exact: true })
const saved = (page: Page) => page.locator('#saved-state', { hasText: /^Saved/ }).waitFor()
const newest = async (limit = 1) =>
  (await ada.fetchJson<PostList>(`GET /api/posts?brandId=${ada.brandId}&limit=${limit}`)).items

async function saveDraft(page: Page): Promise<void> {
  await page.getByText('Save as draft').click()
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.waitForURL(({ pathname }) => !/\/(new|edit)$/.test(pathname))
}

const linkPreview = { url: 'https://acme.example/maple', title: 'Maple latte', description: 'Back', imageUrl: null }
const draft = (more: object = {}) =>
  ada.fetchJson<Post>('POST /api/posts', {
    brandId: ada.brandId,
    provider: 'linkedin',
    text: 'Maple is back',
    linkPreview,
    ...more,
  })

test('SOC-14 composer adds the link preview of a link in the text, shows it, and saves it where it can be published', async () => {
  await using site = await serveWebPage()
  const { page, errors } = await newPost()
  await choose(page, 'X')
  await write(page, `Maple is back: ${site.url}`)
  await shown(page, 'X').locator('.link-card').waitFor()
  expect(await add(page).isVisible()).toBe(false)
  await choose(page, 'LinkedIn')
  await add(page).click()
  await remove(page).waitFor()
  expect(await field(page).innerText()).toContain('Maple & oat latte')
  await field(page).locator('img[src^="data:image/webp"]').waitFor()
  const card = shown(page, 'LinkedIn').locator('.link-card')
  await card.locator('img').waitFor()
  expect(await card.innerText()).toContain('Maple & oat latte')
  expect(await shown(page, 'X').locator('.link-card').innerText()).not.toContain('Maple & oat latte')
  expect(await axe(page)).toEqual([])
  await remove(page).click()
  await card.waitFor({ state: 'detached' })
  await add(page).press('Enter')
  await card.waitFor()
  await saved(page)
  await page.reload()
  await card.waitFor()
  await saveDraft(page)
  const posts = await newest(2)
  expect(new Map(posts.map((post) => [post.provider, post.linkPreview]))).toEqual(
    new Map([
      ['x', null],
      [
        'linkedin',
        {
          url: site.url,
          title: 'Maple & oat latte',
          description: 'Three shops, until February…',
          imageUrl: site.imageUrl,
        },
      ],
    ]),
  )
  expect(errors).toEqual([])
})

test('SOC-14 composer says why a page has no link preview, and offers none beside files', async () => {
  await using site = await serveWebPage()
  const { page } = await ada.open(`/workspace/posts/new?brandId=${ada.brandId}`, { expected: [422] })
  await choose(page, 'Bluesky')
  await write(page, `Maple is back: ${new URL('/gone', site.url).href}`)
  await add(page).click()
  const refusal = field(page).getByRole('status').filter({ hasText: 'The server responded with 404. Check the URL.' })
  await refusal.waitFor()
  await write(page, `Maple is back: ${new URL('/other', site.url).href}`)
  await refusal.waitFor({ state: 'hidden' })
  expect(await add(page).isVisible()).toBe(true)
  await write(page, `Maple is back: ${site.url}`)
  await add(page).click()
  await remove(page).waitFor()
  const dot = sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } }).png()
  const file = { name: 'red.png', mimeType: 'image/png', buffer: await dot.toBuffer() }
  await page.getByLabel('Add files').last().setInputFiles(file)
  await field(page).getByText('can’t have both files and a link preview').waitFor()
  await remove(page).click()
  await field(page).waitFor({ state: 'hidden' })
})

test('SOC-14 composer removes the link preview of a post, and keeps it removed until it is saved', async () => {
  const { id } = await draft()
  const { page, errors } = await ada.open(`/workspace/posts/${id}/edit`)
  await shown(page, 'LinkedIn').locator('.link-card', { hasText: 'Maple latte' }).waitFor()
  expect(await field(page).innerText()).toContain('acme.example · Back')
  expect(await axe(page)).toEqual([])
  await remove(page).click()
  await saved(page)
  await page.reload()
  await saved(page)
  expect(await field(page).isVisible()).toBe(false)
  await saveDraft(page)
  expect(await ada.fetchJson<Post>(`GET /api/posts/${id}`)).toMatchObject({ text: 'Maple is back', linkPreview: null })
  expect(errors).toEqual([])
})

test('SOC-14 link preview of a post stays when its text is edited, and is copied with it', async () => {
  const { id } = await draft()
  const { page, errors } = await ada.open(`/workspace/posts/${id}/edit`)
  await write(page, 'Maple is here')
  await saved(page)
  await saveDraft(page)
  expect(await ada.fetchJson<Post>(`GET /api/posts/${id}`)).toMatchObject({ text: 'Maple is here', linkPreview })
  await page.goto(`${stage.server.url}/workspace/posts/new?brandId=${ada.brandId}&from=${id}`)
  await choose(page, 'Bluesky')
  await field(page).getByText('Maple latte').waitFor()
  await saveDraft(page)
  expect(await newest()).toMatchObject([{ provider: 'bluesky', text: 'Maple is here', linkPreview }])
  expect(errors).toEqual([])
})

test('SOC-14 composer offers to remove a link preview without scripts', async () => {
  const { id } = await draft()
  const { page } = await ada.open(`/workspace/posts/${id}/edit`, { scripts: false })
  expect(await field(page).innerText()).toContain('Maple latte')
  await main(page).getByLabel('Remove the link preview').waitFor()
})
