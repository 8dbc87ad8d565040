import { afterAll, beforeAll, expect, test } from 'bun:test'
import { axe } from '../support/browser.ts'
import { main, openTestSite, createPublisher, type Publisher, type TestSite } from './test-site.ts'

let stage: TestSite
let ada: Publisher
beforeAll(async () => {
  stage = await openTestSite()
  ada = await createPublisher(stage)
  await ada.fetchJson(`PUT /api/brands/${ada.brandId}`, { voice: 'Warm and brief' })
})
afterAll(() => stage.close())

for (const [width, scheme] of [
  [1440, 'light'],
  [360, 'dark'],
] as const)
  test(`PLT-24 PLT-40 audit log shows changes and their authors to an owner, at ${width} px, ${scheme}`, async () => {
    const { page, errors } = await ada.open('/settings/audit', { width, scheme })
    await main(page).getByText('updated brand “').click()
    await main(page).getByText('Warm and brief').waitFor()
    await main(page).locator('details[open]').getByText('Request').waitFor()

    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    expect(await axe(page)).toEqual([])
    expect(errors).toEqual([])
    await page.context().close()
  })

test('PLT-24 audit log filters without a page load, has a URL for each filter, and can be downloaded', async () => {
  const { page, errors } = await ada.open('/settings/audit')
  await page.getByLabel('About').selectOption('Brands')
  await page.waitForURL(/object=brand/)
  await main(page).getByText('signed in').first().waitFor({ state: 'detached' })
  expect(await main(page).locator('summary').allTextContents()).toEqual([
    expect.stringContaining('updated brand'),
    expect.stringContaining('created brand'),
  ])
  await main(page).getByRole('button', { name: 'Export' }).click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('dialog').getByRole('button', { name: 'Download' }).click(),
  ])
  await page.keyboard.press('Escape')
  expect(download.suggestedFilename()).toBe('audit.ndjson')
  const lines = (await Bun.file(await download.path()).text()).trim().split('\n')
  expect(lines.map((line) => JSON.parse(line).operation)).toEqual(
    expect.arrayContaining(['createBrand', 'updateBrand']),
  )
  await page.getByRole('search').getByLabel('To').fill('2020-01-01')
  await main(page).getByText('No results').waitFor()
  await main(page).getByRole('link', { name: 'Clear filters' }).first().click()
  await main(page).getByText('connected account').waitFor()
  expect(errors).toEqual([])
  await page.context().close()
})

test('PLT-24 “Load more” of the audit log appends events, moves the focus to the first one and keeps the scroll position', async () => {
  for (let at = 0; at < 50; at++) await ada.fetchJson(`PUT /api/brands/${ada.brandId}`, { voice: `Voice ${at}` })
  const { page, errors } = await ada.open('/settings/audit')
  const rows = main(page).locator('.entries > li:not([data-group], .more)')
  await main(page).getByRole('link', { name: 'Load more' }).focus()
  const scroll = await page.evaluate(() => scrollY)
  expect(scroll).toBeGreaterThan(0)
  await page.keyboard.press('Enter')
  await rows.nth(50).waitFor()
  expect(await rows.nth(50).evaluate((row) => row.contains(document.activeElement))).toBe(true)
  expect(await page.evaluate(() => scrollY)).toBe(scroll)
  expect(errors).toEqual([])
  await page.context().close()
})
