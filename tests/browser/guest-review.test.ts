import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { axe, openPage } from '../support/browser.ts'
import { createPublisher, main, openTestSite, type Publisher, type TestSite } from './test-site.ts'

let stage: TestSite
beforeAll(async () => {
  stage = await openTestSite()
})
afterAll(() => stage.close())

const fits = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)

const uploadImage = (page: Page, brandId: string) =>
  page.evaluate(async (brand) => {
    const canvas = new OffscreenCanvas(600, 400)
    canvas.getContext('2d')?.fillRect(0, 0, 300, 200)
    const form = new FormData()
    form.set('brandId', brand)
    form.set('alt', 'A cup')
    form.set('file', new File([await canvas.convertToBlob({ type: 'image/png' })], 'cup.png'))
    const response = await fetch('/api/media', { method: 'POST', body: form, headers: { accept: 'application/json' } })
    const { id }: { id: string } = await response.json()
    return id
  }, brandId)

const tomorrow = () => new Date(Date.now() + 24 * 60 * 60_000).toISOString()

const schedule = (ada: Publisher, text: string, more: Record<string, unknown> = {}) =>
  ada.fetchJson<{ id: string }>('POST /api/posts', {
    brandId: ada.brandId,
    provider: 'sandbox',
    text,
    status: 'scheduled',
    scheduledAt: tomorrow(),
    ...more,
  })

test.each([
  [1440, 'light'],
  [360, 'dark'],
] as const)('SOC-32 guest without an account reviews posts by a link, at %d px, %s', async (width, scheme) => {
  const ada = await createPublisher(stage, { name: 'Ada Okafor' })
  const { page: desk } = await ada.open('/workspace/posts', { width })
  const mediaId = await uploadImage(desk, ada.brandId)
  const maple = await schedule(ada, `Maple latte is back ${'x'.repeat(90)}`, { media: [{ mediaId, alt: 'A cup' }] })
  const art = await schedule(ada, 'Latte art night')
  const { url } = await ada.fetchJson<{ url: string }>('POST /api/review-links', {
    brandId: ada.brandId,
    postIds: [maple.id, art.id],
    canDecide: true,
  })
  const { page, errors } = await openPage(stage.browser, { url, width, scheme })
  await page.getByRole('heading', { name: 'What is your name?' }).waitFor()
  expect(await axe(page)).toEqual([])
  // By keyboard alone.
  await page.getByLabel('Your name').focus()
  await page.keyboard.type('Petra Voss')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Hi Petra Voss, 2 posts need your review' }).waitFor()
  await main(page).getByRole('img', { name: 'A cup' }).waitFor()
  await page.waitForFunction(isDrawn)
  expect(await axe(page)).toEqual([])
  expect(await fits(page)).toBe(true)

  const hidden = await uploadImage(desk, ada.brandId)
  await schedule(ada, 'Not for guests', { media: [{ mediaId: hidden, alt: 'Hidden' }] })
  const statusOf = async (id: string) =>
    (await fetch(`${url.replace('/review/', '/api/review/')}/media/${id}/preview`)).status
  expect([await statusOf(mediaId), await statusOf(hidden)]).toEqual([200, 404])

  const card = (title: string) => main(page).getByRole('article', { name: title })
  await card('Latte art').getByRole('textbox', { name: 'Comment' }).fill('Is it at seven?')
  await page.keyboard.press('Enter')
  await card('Latte art').getByText('Is it at seven?').waitFor()
  await card('Latte art').getByRole('textbox', { name: 'What should change' }).fill('Say the time')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await card('Latte art').getByText('You requested changes', { exact: true }).waitFor()
  await card('Maple').getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('heading', { name: 'Hi Petra Voss, nothing is waiting for you' }).waitFor()
  expect(await axe(page)).toEqual([])

  await ada.fetchJson(`PUT /api/posts/${art.id}`, { text: 'Latte art night at seven' })
  await page.reload()
  await card('Latte art').getByText('Changed since you requested it').waitFor()
  expect(await card('Latte art').locator('ins').textContent()).toContain('at seven')
  expect(await axe(page)).toEqual([])
  expect(await fits(page)).toBe(true)
  expect(errors).toEqual([])
})

const isDrawn = () =>
  [...document.querySelectorAll<HTMLImageElement>('.shots img')].every((img) => img.complete && img.naturalWidth > 0)

test('SOC-32 guest without scripts gives their name, comments and approves', async () => {
  const ada = await createPublisher(stage)
  const post = await schedule(ada, 'Plain')
  const { url } = await ada.fetchJson<{ url: string }>('POST /api/review-links', {
    brandId: ada.brandId,
    postIds: [post.id],
    canDecide: true,
  })
  const { page } = await openPage(stage.browser, { url, scripts: false })
  await page.getByLabel('Your name').fill('Petra')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('textbox', { name: 'Comment' }).fill('Fine')
  await page.getByRole('button', { name: 'Comment', exact: true }).click()
  await page.getByText('Fine').waitFor()
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByText('You approved it', { exact: true }).waitFor()
  expect(page.url()).toBe(url)
})

test.each([1440, 360])(
  'SOC-32 person invites a guest on the page of a post and revokes the link, at %d px',
  async (width) => {
    const ada = await createPublisher(stage, { name: 'Ada Okafor' })
    const post = await schedule(ada, 'For a guest')
    const { page, errors } = await ada.open(`/workspace/posts/${post.id}`, { width })
    await main(page).getByRole('button', { name: 'Invite a guest' }).click()
    const dialog = page.getByRole('dialog', { name: 'Invite a guest' })
    await dialog.getByLabel('Guest’s name').fill('Petra Voss')
    expect(await axe(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Create link' }).click()
    const url = (await dialog.getByLabel('Review link').textContent()) ?? ''
    expect(await axe(page)).toEqual([])
    await dialog.getByRole('link', { name: 'Done' }).click()
    const { page: guest } = await openPage(stage.browser, { url, width })
    await guest.getByRole('heading', { name: 'Hi Petra Voss, 1 post needs your review' }).waitFor()
    await guest.getByRole('textbox', { name: 'Comment' }).fill('Not sent yet')
    await ada.fetchJson(`POST /api/posts/${post.id}/comments`, { text: 'Is it at seven?' })
    await guest.getByText('Is it at seven?').waitFor()
    expect(await guest.getByRole('textbox', { name: 'Comment' }).inputValue()).toBe('Not sent yet')
    await main(page).getByText('Guests with a link can see comments.').waitFor()

    await main(page).getByRole('button', { name: 'Invite a guest' }).click()
    await dialog.getByRole('button', { name: 'Show links to this post' }).click()
    await dialog.getByText('Petra Voss').waitFor()
    expect(await axe(page)).toEqual([])
    expect(await fits(page)).toBe(true)
    page.once('dialog', (question) => void question.accept())
    await dialog.getByRole('button', { name: 'Revoke for Petra Voss' }).click()
    await dialog.getByText('Petra Voss').waitFor({ state: 'detached' })
    await guest.getByRole('heading', { name: 'This link doesn’t work' }).waitFor()
    expect(await axe(guest)).toEqual([])
    expect(errors).toEqual([])
  },
)
