import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Locator, Page } from 'playwright-core'
import type { PostList } from '#social/types'
import { eventually } from '../boot/program.ts'
import { createPublisher, main, openTestSite, type Publisher, type TestSite } from './test-site.ts'

// A month of three brands, planned from the calendar.

let stage: TestSite
beforeAll(async () => {
  stage = await openTestSite()
})
afterAll(() => stage.close())

const brandNames = ['Acme Coffee', 'Bakery', 'Café Noir']
/** Of the next month, in which the posts are planned; the last one is moved from the day before. */
const days = [2, 3, 10, 17, 25]
const month = Temporal.Now.plainDateISO('Europe/Berlin').with({ day: 1 }).add({ months: 1 })
const dayOf = (day: number): string => month.with({ day }).toString()
const label = (day: number) => new RegExp(`^New post on \\w+ ${day} `)
const textOf = (brand: string, day: number) => `${brand}, for the ${day}.`

const text = (page: Page) => page.getByLabel('Text', { exact: true })
const inDay = (page: Page, day: number) => main(page).locator(`#day-${dayOf(day)}`)
const planned = (page: Page, brand: string, day: number) =>
  inDay(page, day).locator('.event', { hasText: textOf(brand, day) })

/** The other brands, each with an account. */
async function createBrands(ada: Publisher): Promise<void> {
  for (const name of brandNames.slice(1)) {
    const { id } = await ada.fetchJson<{ id: string }>('POST /api/brands', { name, timeZone: 'Europe/Berlin' })
    await ada.fetchJson('POST /api/integrations/sandbox/connect', {
      brandId: id,
      handle: `${ada.handle}-${name[0]?.toLowerCase()}`,
    })
  }
}

/** What was planned: brand, local time and text. */
async function readPlan(ada: Publisher): Promise<string[]> {
  const { items } = await ada.fetchJson<PostList>('GET /api/posts?status=scheduled&order=soonest&limit=100')
  const localTime = (at: string | null) =>
    at && new Date(at).toLocaleString('sv', { timeZone: 'Europe/Berlin' }).slice(0, 16)
  return items
    .map(({ brandName, scheduledAt, text: content }) => `${brandName} ${localTime(scheduledAt)} ${content}`)
    .toSorted()
}

const plan = () =>
  brandNames
    .flatMap((brand) => [
      ...days.map((day) => `${brand} ${dayOf(day)} 09:00 ${textOf(brand, day)}`),
      `${brand} ${dayOf(27)} 09:00 ${textOf(brand, 26)}`,
    ])
    .toSorted()

test('SOC-34 a month of posts for three brands is planned with the mouse alone', async () => {
  const ada = await createPublisher(stage)
  await createBrands(ada)
  const { page, errors } = await ada.open('/workspace/calendar')
  for (const brand of brandNames) {
    if (brand !== brandNames[0]) {
      await page.getByRole('button', { name: 'Brand: ' }).click()
      await page.getByRole('link', { name: brand }).click()
    }
    await page.locator('.switcher', { hasText: brand }).waitFor()
    // Another brand is shown in the same month.
    if (brand === brandNames[0]) await main(page).getByRole('link', { name: 'Next month' }).click()
    for (const day of [...days, 26]) {
      await inDay(page, day).hover()
      await inDay(page, day)
        .getByRole('link', { name: label(day) })
        .click()
      await text(page).fill(textOf(brand, day))
      await page.getByRole('button', { name: 'Schedule', exact: true }).click()
      await planned(page, brand, day).waitFor()
    }
    await planned(page, brand, 26).dragTo(inDay(page, 27))
    await inDay(page, 27)
      .locator('.event', { hasText: textOf(brand, 26) })
      .waitFor()
  }
  expect(await readPlan(ada)).toEqual(plan())
  expect(errors).toEqual([])
})

test('SOC-34 PLT-40 a month of posts for three brands is planned with the keyboard alone', async () => {
  const ada = await createPublisher(stage)
  await createBrands(ada)
  const { page, errors } = await ada.open('/workspace/calendar')
  const press = (...keys: string[]) =>
    keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve())
  for (const brand of brandNames) {
    if (brand !== brandNames[0]) {
      await tabTo(page, page.getByRole('button', { name: 'Brand: ' }))
      await press('Enter')
      await tabTo(page, page.getByRole('link', { name: brand }))
      await press('Enter')
    }
    await page.locator('.switcher', { hasText: brand }).waitFor()
    if (brand === brandNames[0]) {
      await tabTo(page, main(page).getByRole('link', { name: 'Next month' }))
      await press('Enter')
    }
    await inDay(page, 28).waitFor()
    await tabTo(page, main(page).locator('.day header a').first())
    for (const day of [...days, 26]) {
      await walkTo(page, inDay(page, day).getByRole('link', { name: label(day) }))
      await press('Enter')
      await page.locator('textarea:focus').waitFor()
      await page.keyboard.type(textOf(brand, day))
      await press('Control+Enter')
      await planned(page, brand, day).waitFor()
      // The calendar opens at the day: the next stop is within it.
      await press('Tab')
    }
    await press('Tab', 'Alt+ArrowRight')
    await inDay(page, 27)
      .locator('.event', { hasText: textOf(brand, 26) })
      .waitFor()
  }
  expect(await eventually(async () => String(await readPlan(ada)) === String(plan()))).toBe(true)
  expect(errors).toEqual([])
})

const isFocused = (element: Locator) => element.evaluate((each) => each === document.activeElement)

/** Presses Tab until the element has the focus. */
async function tabTo(page: Page, element: Locator): Promise<void> {
  await element.waitFor()
  for (let stops = 0; stops < 80; stops += 1) {
    if (await isFocused(element)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Eighty stops of the Tab key don't lead to ${String(element)}`)
}

/** Moves the focus over the days of the calendar: down by weeks, then right by days. */
async function walkTo(page: Page, element: Locator): Promise<void> {
  for (let steps = 0; steps < 40; steps += 1) {
    if (await isFocused(element)) return
    await page.keyboard.press('ArrowRight')
  }
  throw new Error(`Forty days don't lead to ${String(element)}`)
}
