import { afterAll, beforeAll, expect, test } from 'bun:test'
import sharp from 'sharp'
import type { Brand, Post, PostList } from '#social/types'
import { axe } from '../support/browser.ts'
import { createPublisher, main, openTestSite, type Publisher, type TestSite } from './test-site.ts'

let stage: TestSite
let ada: Publisher
let tea: Brand

beforeAll(async () => {
  stage = await openTestSite()
  ada = await createPublisher(stage)
  tea = await ada.fetchJson<Brand>('POST /api/brands', { name: 'Acme Tea', timeZone: 'Europe/Berlin' })
  await ada.fetchJson('POST /api/integrations/sandbox/connect', { brandId: tea.id, handle: 'acme-tea' })
})
afterAll(() => stage.close())

const newest = async (brandId: string) =>
  (await ada.fetchJson<PostList>(`GET /api/posts?brandId=${brandId}&limit=1`)).items[0]

test('SOC-11 post is copied into the composer, and from there to another brand', async () => {
  const post = await ada.fetchJson<Post>('POST /api/posts', {
    brandId: ada.brandId,
    provider: 'sandbox',
    text: 'Maple is back',
    firstComment: '#latte',
    tags: ['winter'],
    campaign: 'Winter menu',
  })
  const { page, errors } = await ada.open(`/workspace/posts/${post.id}`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('link', { name: 'Copy to other accounts' }).click()
  const text = page.getByLabel('Text', { exact: true })
  await page.getByText('Copy of a post').waitFor()
  await page.waitForFunction(() => document.querySelector('textarea')?.value === 'Maple is back')
  expect(await axe(page)).toEqual([])
  await main(page).getByRole('link', { name: 'Acme Tea' }).click()
  await page.waitForURL(/brandId=.*from=/)
  await page.getByText('Copy of a post').waitFor()
  await page.waitForFunction(() => document.querySelector('textarea')?.value === 'Maple is back')
  expect(await page.getByLabel('Campaign').inputValue()).toBe('Winter menu')
  await page.locator('label.chip', { hasText: '@acme-tea' }).click()
  await text.fill('Maple tea is back')
  await page.locator('#saved-state', { hasText: /^Saved/ }).waitFor()
  await page.reload()
  await page.waitForFunction(() => document.querySelector('textarea')?.value === 'Maple tea is back')
  await page.getByText('Save as draft').click()
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.waitForURL(({ pathname }) => !pathname.endsWith('/new'))
  expect(await newest(tea.id)).toMatchObject({
    text: 'Maple tea is back',
    firstComment: '#latte',
    tags: ['winter'],
    campaign: 'Winter menu',
    status: 'draft',
  })
  expect(await newest(ada.brandId)).toMatchObject({ id: post.id, text: 'Maple is back' })
  expect(errors).toEqual([])
})

test('SOC-11 files of a post are copied to the library of another brand from the composer', async () => {
  const file = await sharp({ create: { width: 40, height: 40, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  const image = { brandId: ada.brandId, file: file.toString('base64'), name: 'latte.png', alt: 'A latte' }
  const { id } = await ada.fetchJson<{ id: string }>('POST /api/media', image)
  const draft = { brandId: ada.brandId, provider: 'sandbox', text: 'Latte', media: [{ mediaId: id, alt: 'A latte' }] }
  const post = await ada.fetchJson<Post>('POST /api/posts', draft)
  const { page, errors } = await ada.open(`/workspace/posts/new?brandId=${tea.id}&from=${post.id}`)
  await page.getByText('Copy them to Acme Tea first').waitFor()
  expect(await axe(page)).toEqual([])
  await page.getByRole('button', { name: 'Copy the file' }).click()
  await page.waitForURL(/files=/)
  await page.getByText('Copy of a post').waitFor()
  expect(await page.getByRole('button', { name: 'Copy the file' }).count()).toBe(0)
  await page.locator('label.chip', { hasText: '@acme-tea' }).click()
  await page.getByText('Save as draft').click()
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.waitForURL(({ pathname }) => !pathname.endsWith('/new'))
  const copy = await newest(tea.id)
  expect(copy).toMatchObject({ text: 'Latte', media: [{ alt: 'A latte' }] })
  expect(copy?.media[0]?.mediaId).not.toBe(id)
  expect(errors).toEqual([])
})

test('SOC-12 composer says which post of a submission is edited, and leads to the others', async () => {
  const { items } = await ada.fetchJson<{ items: Post[] }>('POST /api/posts', {
    brandId: ada.brandId,
    targets: [{ provider: 'sandbox' }, { provider: 'bluesky' }],
    text: 'Shared',
  })
  const { page } = await ada.open(`/workspace/posts/${items[0]?.id}/edit`, { width: 360 })
  await page.getByText('You’re editing one post: Sandbox').waitFor()
  await page.getByText('The post that was created with it keeps its text').waitFor()
  expect(await axe(page)).toEqual([])
  await page.getByRole('link', { name: 'Bluesky, No account' }).click()
  await page.getByText('You’re editing one post: Bluesky').waitFor()
  await page.getByLabel('Text', { exact: true }).fill('Only on Bluesky')
  await page.getByLabel('Campaign').fill('Winter menu')
  await page.getByRole('button', { name: 'Save draft' }).first().click()
  await page.waitForURL(({ pathname }) => !pathname.endsWith('/edit'))
  const texts = await Promise.all(items.map(({ id }) => ada.fetchJson<Post>(`GET /api/posts/${id}`)))
  expect(texts.map(({ text, campaign }) => [text, campaign])).toEqual([
    ['Shared', null],
    ['Only on Bluesky', 'Winter menu'],
  ])
})

test('SOC-12 edit in the composer is applied to the chosen posts of the submission', async () => {
  const { items } = await ada.fetchJson<{ items: Post[] }>('POST /api/posts', {
    brandId: ada.brandId,
    targets: [{ provider: 'sandbox' }, { provider: 'bluesky' }, { provider: 'mastodon', text: 'Its own' }],
    text: 'Shared',
  })
  const { page, errors } = await ada.open(`/workspace/posts/${items[0]?.id}/edit`, { width: 360 })
  const group = page.getByRole('group', { name: 'Also change' })
  await group.getByText('Has a different text: Its own').waitFor()
  await group.getByLabel('Bluesky').check()
  await page.getByLabel('Text', { exact: true }).fill('On two networks')
  expect(await axe(page)).toEqual([])
  await page.getByRole('button', { name: 'Save draft' }).first().click()
  await page.getByText('2 posts saved').waitFor()
  const texts = await Promise.all(items.map(({ id }) => ada.fetchJson<Post>(`GET /api/posts/${id}`)))
  expect(texts.map(({ text }) => text)).toEqual(['On two networks', 'On two networks', 'Its own'])
  expect(errors).toEqual([])
})
