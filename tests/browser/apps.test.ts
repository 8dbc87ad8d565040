import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { flawsOf } from './payments-site.ts'
import { createPublisher, main, openTestSite, type Publisher, type TestSite } from './test-site.ts'

let stage: TestSite
let ada: Publisher

beforeAll(async () => {
  stage = await openTestSite()
  ada = await createPublisher(stage, { connected: false })
})
afterAll(() => stage.close())

const section = (page: Page, name: string) => main(page).getByRole('region', { name })
const card = (page: Page, name: string) => main(page).getByRole('article', { name, exact: true })

/** Opens it and closes it again. */
async function appsInSwitcher(page: Page): Promise<string[]> {
  await page.getByRole('button', { name: 'App: Dashboard' }).click()
  const links = page.locator('#apps-menu .tiles').getByRole('link')
  await links.first().waitFor()
  const names = await links.allInnerTexts()
  await page.keyboard.press('Escape')
  await links.first().waitFor({ state: 'hidden' })
  return names.map((name) => name.trim())
}

test('DSH-05 catalog fits every width and both themes', async () => {
  const { page, errors } = await ada.open('/apps')
  await card(page, 'Social').waitFor()
  expect(await flawsOf(page)).toEqual({})
  expect(errors).toEqual([])
  await page.close()
})

test('DSH-05 owner uninstalls an app and installs it again', async () => {
  const { page, errors } = await ada.open('/apps')
  await card(page, 'Social').getByRole('button', { name: 'More actions: Social' }).click()
  await card(page, 'Social').getByRole('button', { name: 'Uninstall', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Uninstall', exact: true }).click()
  await section(page, 'Available').getByRole('article', { name: 'Social' }).waitFor()
  await section(page, 'Available').getByRole('button', { name: 'Install Social' }).click()
  await section(page, 'Installed').getByRole('article', { name: 'Social' }).waitFor()
  expect(errors).toEqual([])
  await page.close()
})

test('DSH-05 favorite and hidden apps take effect in the catalog and the app switcher', async () => {
  const { page, errors } = await ada.open('/apps')
  await card(page, 'Payments').getByRole('button', { name: 'Favorite: Payments' }).click()
  await card(page, 'Payments').locator('[aria-pressed=true]').waitFor()
  await main(page).getByRole('link', { name: 'Favorites' }).click()
  await page.waitForURL('**/apps?view=favorites')
  await card(page, 'Payments').waitFor()
  expect(await main(page).getByRole('article').count()).toBe(1)

  await page.goto(`${stage.server.url}/apps`)
  expect((await appsInSwitcher(page))[0]).toBe('Payments')
  await card(page, 'Gateway').getByRole('button', { name: 'More actions: Gateway' }).click()
  await card(page, 'Gateway').getByRole('button', { name: 'Hide', exact: true }).click()
  await card(page, 'Gateway').waitFor({ state: 'detached' })
  const other = await ada.open('/apps')
  expect(await appsInSwitcher(other.page)).not.toContain('Gateway')
  await other.page.close()
  await page.getByRole('button', { name: 'Undo' }).click()
  await card(page, 'Gateway').waitFor()
  await page.reload()
  expect(await appsInSwitcher(page)).toContain('Gateway')
  expect(errors).toEqual([])
  await page.close()
})

test('DSH-05 search finds apps as a person types and can be cleared', async () => {
  const { page, errors } = await ada.open('/apps')
  await main(page).getByRole('searchbox', { name: 'Search apps' }).fill('paym')
  await page.waitForURL('**/apps?**q=paym**')
  await card(page, 'Social').waitFor({ state: 'detached' })
  await card(page, 'Payments').waitFor()
  await main(page).getByRole('searchbox', { name: 'Search apps' }).fill('zzz')
  await main(page).getByText('No apps found').waitFor()
  await main(page).getByRole('link', { name: 'Clear search' }).click()
  await card(page, 'Social').waitFor()
  await page.goBack()
  await main(page).getByText('No apps found').waitFor()
  expect(errors).toEqual([])
  await page.close()
})

test('DSH-05 tile size is kept', async () => {
  const { page, errors } = await ada.open('/apps')
  const tile = async () => (await card(page, 'Social').boundingBox())?.width ?? 0
  const before = await tile()
  await main(page).getByRole('button', { name: 'Tile size' }).click()
  await main(page).getByRole('button', { name: 'Large' }).click()
  await main(page).locator('[data-tiles=large]').waitFor()
  expect(await tile()).toBeGreaterThan(before)
  await page.reload()
  expect(await tile()).toBeGreaterThan(before)
  expect(errors).toEqual([])
  await page.close()
})
