import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { eventually } from '../boot/program.ts'
import { flawsOf, sellerOn } from './payments-site.ts'
import { createPublisher, main, openTestSite, type Publisher, type TestSite } from './test-site.ts'

let stage: TestSite
let ada: Publisher

beforeAll(async () => {
  stage = await openTestSite()
  ada = await createPublisher(stage, { connected: false })
})
afterAll(() => stage.close())

const card = (page: Page, name: string) => main(page).getByRole('region', { name, exact: true })
const names = (page: Page) => main(page).locator('.widget:visible h2').allInnerTexts()
const loaded = (page: Page) => page.waitForFunction(() => !document.querySelector('.widget:not([hidden]) [aria-busy]'))
const saved = (page: Page) =>
  page.waitForResponse((response) => response.url().endsWith('/api/dashboard/layout') && response.ok())

async function choose(page: Page, name: string, item: string): Promise<void> {
  await card(page, name)
    .getByRole('button', { name: `Widget ${name}` })
    .click()
  await card(page, name).getByRole('button', { name: item }).click()
}

test('DSH-02 dashboard opens into widgets of the installed apps, at every width and in both themes', async () => {
  const { page, errors } = await ada.open('/dashboard')
  await loaded(page)
  expect((await names(page)).slice(0, 2)).toContain('Payments')
  expect(await flawsOf(page)).toEqual({})
  expect(errors).toEqual([])
  await page.close()
})

test('DSH-02 widget is refreshed at once on a live event, and not in a hidden tab', async () => {
  const { page, errors } = await ada.open('/apps')
  const followed = Promise.withResolvers<void>()
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => {
      if (String(payload).includes('"subscribed"')) followed.resolve()
    }),
  )
  await page.goto(`${stage.server.url}/dashboard`)
  await loaded(page)
  await followed.promise
  const refreshed = page.waitForRequest((request) => request.postData()?.includes('changed') ?? false)
  await sellerOn(stage, ada).createOrder()
  expect((await refreshed).postData()).toContain('platform-pay')

  let requests = 0
  page.on('request', (request) => (requests += Number(request.url().endsWith('/api/widgets'))))
  await page.evaluate(() => Object.defineProperty(document, 'hidden', { value: true, configurable: true }))
  await page.locator('widget-grid').evaluate((grid) => grid.setAttribute('data-every', '1'))
  const before = requests
  await Bun.sleep(2_500)
  expect(requests - before).toBe(0)
  await page.evaluate(() => {
    Object.defineProperty(document, 'hidden', { value: false, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  })
  await page.waitForResponse((response) => response.url().endsWith('/api/widgets'))
  expect(errors).toEqual([])
  await page.close()
})

test('DSH-02 widgets are requested again after 45 seconds, and not before', async () => {
  const { page, errors } = await ada.open('/apps')
  await page.clock.install()
  await page.goto(`${stage.server.url}/dashboard`)
  await loaded(page)
  const shown = (await names(page)).length
  expect(shown).toBeGreaterThan(0)
  let requests = 0
  page.on('request', (request) => (requests += Number(request.url().endsWith('/api/widgets'))))
  await page.clock.fastForward(40_000)
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  expect(requests).toBe(0)
  await page.clock.fastForward(6_000)
  expect(await eventually(() => requests === shown)).toBe(true)
  expect(errors).toEqual([])
  await page.close()
})

test('DSH-07 widget is moved by keyboard and by pointer, resized and hidden, and all of it is kept', async () => {
  const { page, errors } = await ada.open('/dashboard')
  await loaded(page)
  const [first = '', second = '', third = ''] = await names(page)
  await choose(page, first, 'Move')
  await page.locator('[data-moving]').waitFor()
  await page.keyboard.press('ArrowRight')
  await page.getByText(`${first}: position 2 of`).waitFor()
  await page.keyboard.press('Escape')
  expect((await names(page))[0]).toBe(first)
  await choose(page, first, 'Move')
  await page.keyboard.press('ArrowRight')
  await Promise.all([saved(page), page.keyboard.press('Enter')])
  expect((await names(page)).slice(0, 2)).toEqual([second, first])

  const place = async (name: string) => (await card(page, name).locator('header').boundingBox()) ?? { x: 0, y: 0 }
  const [from, to] = [await place(third), await place(second)]
  await page.mouse.move(from.x + 60, from.y + 8)
  await page.mouse.down()
  await page.mouse.move(to.x + 60, to.y + 30, { steps: 8 })
  await Promise.all([saved(page), page.mouse.up()])
  expect((await names(page)).slice(0, 3)).toEqual([third, second, first])

  await Promise.all([saved(page), choose(page, first, 'Full width')])
  await Promise.all([saved(page), choose(page, second, 'Hide')])
  await card(page, second).waitFor({ state: 'hidden' })
  await page.getByText(`${second} hidden`).waitFor()
  await page.reload()
  await loaded(page)
  expect((await names(page)).slice(0, 2)).toEqual([third, first])
  expect(await card(page, first).evaluate((element) => element.style.getPropertyValue('--cols'))).toBe('12')

  await page.getByRole('button', { name: 'Hidden widgets (1)' }).click()
  await Promise.all([saved(page), page.getByRole('button', { name: `Show ${second}` }).click()])
  await card(page, second).waitFor()
  await choose(page, second, 'Hide')
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await card(page, second).waitFor()
  await loaded(page)
  expect(errors).toEqual([])
  await page.close()
})

test('DSH-07 person resets a layout with the keyboard and undoes it, and an admin makes it the default for members', async () => {
  const owner = await createPublisher(stage, { connected: false })
  const { page, errors } = await owner.open('/dashboard')
  await loaded(page)
  const usual = await names(page)
  const [first = ''] = usual
  const layout = main(page).getByRole('button', { name: 'Layout' })
  expect(await layout.isVisible()).toBe(false)
  await Promise.all([saved(page), choose(page, first, 'Hide')])
  const arranged = usual.slice(1)
  const chooseByKey = async (...keys: string[]) => {
    await layout.press('Enter')
    await page.locator('#layout-menu').waitFor()
    for (const key of [...keys, 'Enter']) await page.keyboard.press(key)
  }
  await chooseByKey('ArrowDown')
  await page.getByText('Layout reset').waitFor()
  expect(await names(page)).toEqual(usual)
  expect(await layout.isVisible()).toBe(false)
  await page.getByRole('button', { name: 'Undo' }).last().press('Enter')
  await card(page, first).waitFor({ state: 'hidden' })

  await chooseByKey('ArrowDown', 'ArrowDown')
  await page.getByText('Saved as the default for members').waitFor()
  await chooseByKey('ArrowDown')
  await page.getByText('Layout reset').last().waitFor()
  await layout.waitFor({ state: 'hidden' })
  expect(await names(page)).toEqual(arranged)
  expect(await page.locator('.widget button:focus').count()).toBe(1)
  await page.reload()
  await loaded(page)
  expect(await names(page)).toEqual(arranged)
  expect(errors).toEqual([])
  await page.close()
})
