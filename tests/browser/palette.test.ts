import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { axe } from '../support/browser.ts'
import { scaleTime } from '../support/time-scale.ts'
import { main, openTestSite, createPublisher, type Publisher, type TestSite } from './test-site.ts'

let stage: TestSite
let ada: Publisher
let postId: string
beforeAll(async () => {
  stage = await openTestSite()
  ada = await createPublisher(stage)
  const post = { brandId: ada.brandId, provider: 'sandbox', text: 'Maple oat latte is back from Monday' }
  postId = (await ada.fetchJson<{ id: string }>('POST /api/posts', post)).id
})
afterAll(() => stage.close())

const palette = (page: Page) => page.getByRole('dialog', { name: 'Search and commands' })
const chosen = (page: Page, name: string | RegExp) => palette(page).getByRole('option', { name, selected: true })

test('PLT-42 PLT-40 palette opens a page, a post and a dialog using only the keyboard', async () => {
  const { page, errors } = await ada.open('/workspace/posts')
  await page.keyboard.press('Control+k')
  await chosen(page, 'Posts').waitFor()
  expect(await page.locator(':focus').getAttribute('role')).toBe('combobox')
  expect(await axe(page)).toEqual([])
  await page.keyboard.press('ArrowUp')
  await chosen(page, 'Sign out').waitFor()
  await page.keyboard.press('ArrowDown')
  await chosen(page, 'Posts').waitFor()
  await page.keyboard.press('Control+k')
  await palette(page).waitFor({ state: 'hidden' })

  await page.keyboard.press('Control+k')
  await page.keyboard.type('oat latte')
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/workspace/posts/${postId}**`)
  await main(page).getByText('History').waitFor()

  await page.keyboard.press('Control+k')
  await page.keyboard.type('brand')
  await chosen(page, 'Brands').waitFor()
  await page.keyboard.press('ArrowDown')
  await chosen(page, 'New brand').waitFor()
  const active = await palette(page).getByRole('combobox').getAttribute('aria-activedescendant')
  expect(await chosen(page, 'New brand').getAttribute('id')).toBe(active)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/workspace/brands')
  await page.getByRole('dialog', { name: 'New brand' }).waitFor()
  expect(new URL(page.url()).hash).toBe('')
  await page.keyboard.press('Escape')

  await page.keyboard.press('Control+k')
  await page.keyboard.type('zzz')
  await chosen(page, 'Search posts for “zzz”').waitFor()
  expect(await axe(page)).toEqual([])
  await page.keyboard.press('Escape')
  await palette(page).waitFor({ state: 'hidden' })
  expect(errors).toEqual([])
})

test('PLT-42 option chosen with an arrow key stays chosen when a later response arrives', async () => {
  const { page, errors } = await ada.open('/workspace/posts')
  const { promise: isMoved, resolve: letGo } = Promise.withResolvers<void>()
  await page.route('**/api/search?q=brand', (route) => isMoved.then(() => route.continue()))
  await page.keyboard.press('Control+k')
  await page.keyboard.type('bran')
  await chosen(page, 'Brands').waitFor()
  const requested = page.waitForRequest('**/api/search?q=brand')
  await page.keyboard.type('d')
  await requested
  await page.keyboard.press('ArrowDown')
  await chosen(page, 'New brand').waitFor()
  const isAnswered = page.evaluate(
    () => new Promise((resolve) => document.addEventListener('htmx:after:swap', resolve, { once: true })),
  )
  letGo()
  await isAnswered
  await chosen(page, 'New brand').waitFor({ timeout: scaleTime(2_000) })
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'New brand' }).waitFor()
  expect(errors).toEqual([])
})

test('PLT-42 PLT-40 palette opens from the bar on a narrow screen and its results can be tapped', async () => {
  const { page, errors } = await ada.open('/workspace/posts', { width: 360, scheme: 'dark' })
  await page.getByRole('button', { name: 'Search', exact: true }).first().click()
  await palette(page).getByRole('combobox').fill('acc')
  await palette(page).getByRole('option', { name: 'Accounts', exact: true }).waitFor()
  expect(await axe(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
  await palette(page).getByRole('option', { name: 'Accounts', exact: true }).click()
  await main(page).getByRole('heading', { level: 1, name: 'Accounts' }).waitFor()
  expect(errors).toEqual([])
})

test('PLT-42 PLT-41 palette shows rejected and failed searches, and an action runs from it', async () => {
  const { page } = await ada.open('/workspace/posts', { expected: [500, 503] })
  await page.route('**/api/search**', (route) => route.abort())
  await page.keyboard.press('Control+k')
  await palette(page).getByText('Couldn’t reach Atrium').waitFor()
  await page.unroute('**/api/search**')
  await page.keyboard.type('sign out')
  await chosen(page, 'Sign out').waitFor()
  expect(await palette(page).getByText('Couldn’t reach Atrium').count()).toBe(0)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/login')
})
