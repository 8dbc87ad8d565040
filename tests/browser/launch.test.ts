import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Locator, Page } from 'playwright-core'
import { createPublisher, main, openTestSite, type Publisher, type TestSite } from './test-site.ts'

let stage: TestSite
let ada: Publisher

beforeAll(async () => {
  stage = await openTestSite()
  ada = await createPublisher(stage, { connected: false })
})
afterAll(() => stage.close())

const launched = (page: Page) =>
  page.waitForResponse((response) => response.url().endsWith('/api/launches') && response.request().method() === 'POST')

async function socialId(): Promise<string> {
  const { items } = await ada.fetchJson<{ items: { id: string; slug: string }[] }>('GET /api/catalog?limit=100')
  return items.find(({ slug }) => slug === 'platform-socialize')?.id ?? ''
}

test('DSH-22 app opens from the catalog and from its widget with a code of its own', async () => {
  const { page, errors } = await ada.open('/apps')
  const fromCatalog = launched(page)
  await main(page).getByRole('link', { name: 'Open Social' }).press('Enter')
  expect((await fromCatalog).status()).toBe(200)
  await page.waitForURL('**/workspace/posts**')

  await page.goto(`${stage.server.url}/dashboard`)
  const fromWidget = launched(page)
  await main(page).getByRole('link', { name: 'Social', exact: true }).click()
  expect((await fromWidget).status()).toBe(200)
  await page.waitForURL('**/workspace/posts**')
  const { items } = await ada.fetchJson<{ items: { surface: string; outcome: string }[] }>('GET /api/launches')
  expect(items.map(({ surface, outcome }) => [surface, outcome])).toEqual([
    ['widget', 'opened'],
    ['catalog', 'opened'],
  ])
  expect(errors).toEqual([])
  await page.close()
})

test('DSH-22 app opened in a new tab from the catalog, its widget or the app switcher gets a code of its own', async () => {
  const { page, errors } = await ada.open('/apps')
  const opensInNewTab = async (link: Locator) => {
    const opened = page.context().waitForEvent('page')
    await link.click({ modifiers: ['ControlOrMeta'] })
    const tab = await opened
    await tab.waitForURL('**/workspace/posts**')
    await tab.close()
  }
  await opensInNewTab(main(page).getByRole('link', { name: 'Open Social' }))
  await page.getByRole('button', { name: 'App: Dashboard' }).click()
  await opensInNewTab(page.locator('#apps-menu').getByRole('link', { name: 'Social' }))
  expect(new URL(page.url()).pathname).toBe('/apps')
  await page.goto(`${stage.server.url}/dashboard`)
  await opensInNewTab(main(page).getByRole('link', { name: 'Social', exact: true }))
  const { items } = await ada.fetchJson<{ items: { surface: string; outcome: string }[] }>('GET /api/launches?limit=3')
  const launchedInTab = { surface: 'link', outcome: 'opened' }
  expect(items).toMatchObject([launchedInTab, launchedInTab, launchedInTab])
  expect(errors).toEqual([])
  await page.close()
})

test('DSH-22 refused launch shows its reason where the app was clicked', async () => {
  const id = await socialId()
  const { page } = await ada.open('/apps')
  await main(page).getByRole('link', { name: 'Open Social' }).waitFor()
  await ada.fetchJson(`DELETE /api/catalog/${id}/install`)
  await main(page).getByRole('link', { name: 'Open Social' }).click()
  const card = main(page).getByRole('article', { name: 'Social', exact: true })
  await card.getByText('Social isn’t installed in your organization').waitFor()
  expect(new URL(page.url()).pathname).toBe('/apps')

  await page.goto(`${stage.server.url}/launch/${id}`)
  await page.getByRole('heading', { name: 'Social can’t be opened' }).waitFor()
  await page.getByRole('link', { name: 'Show apps' }).click()
  await page.waitForURL('**/apps')
  await ada.fetchJson(`POST /api/catalog/${id}/install`)
  await page.close()
})
