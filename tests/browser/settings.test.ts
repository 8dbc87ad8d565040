import type { Locator } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openDatabase } from '#lib/db.ts'
import { axe, openPage } from '../support/browser.ts'
import { openTestSite, type TestSite } from './test-site.ts'
import { dashboardOf, newPerson, openPlace, register } from './person.ts'

let stage: TestSite

beforeAll(async () => {
  stage = await openTestSite()
})
afterAll(() => stage.close())

test.each([1440, 360])(
  'PLT-40 IDN-10 person opens the settings and changes their name and organization, at %d px',
  async (width) => {
    const { page, errors } = await openPage(stage.browser, { url: `${stage.server.url}/register`, width })
    await register(page, newPerson())
    await dashboardOf(page).waitFor()
    if (width < 1000) await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('button', { name: /^Account/ }).click()
    await page.locator('#user-menu').getByRole('link', { name: 'Settings' }).click()

    const main = page.getByRole('main')
    await main.getByRole('list', { name: 'Settings: You' }).waitFor()
    expect(await axe(page)).toEqual([])
    await main.getByRole('link', { name: 'Profile' }).click()
    await main.getByRole('region', { name: 'Profile' }).getByLabel('Name', { exact: true }).fill('Ada King')
    expect(await main.getByText('Unsaved changes').filter({ visible: true }).count()).toBe(1)
    await main.getByRole('button', { name: 'Discard' }).click()
    await main.getByText('Unsaved changes').waitFor({ state: 'hidden' })
    expect(await main.getByRole('button', { name: 'Discard' }).count()).toBe(0)
    await main.getByRole('region', { name: 'Profile' }).getByLabel('Name', { exact: true }).fill('Ada King')
    const save = main.getByRole('button', { name: 'Save' })
    await page.setViewportSize({ width, height: 400 })
    await save.evaluate((button) => button.scrollIntoView({ block: 'center' }))
    const isSamePage = await page.evaluateHandle(() => ({ scrolled: scrollY }))
    await save.press('Enter')
    await page.getByText('Name updated').waitFor()
    await main.getByText('Unsaved changes').waitFor({ state: 'hidden' })
    expect(await save.evaluate((button) => button === document.activeElement)).toBe(true)
    // The handle would be gone after a reload.
    expect(await isSamePage.evaluate(({ scrolled }) => [scrolled > 0, scrollY - scrolled])).toEqual([true, 0])
    await page.setViewportSize({ width, height: 900 })
    expect(await page.getByRole('button', { name: 'Account: Ada King', includeHidden: true }).count()).toBe(1)
    expect(await axe(page)).toEqual([])

    const zone = main.getByRole('combobox', { name: 'Time zone' })
    expect(await zone.inputValue()).toMatch(/^Automatic: London/)
    await zone.fill('kolk')
    await zone.press('Enter')
    // The list is closed now: Enter saves again.
    await zone.press('Enter')
    await main.getByLabel('Clock').selectOption({ label: '12-hour (2:30 PM)' })
    await main.getByText(/^It’s \d+:\d\d\s[ap]m there/).waitFor()
    expect(await zone.inputValue()).toBe('Kolkata (GMT+5:30)')
    expect(await axe(page)).toEqual([])

    await openPlace(page, 'General')
    await main.getByLabel('Name', { exact: true }).fill('Countess & Co')
    await main.getByRole('button', { name: 'Save', exact: true }).first().click()
    await page.getByText('Organization updated').waitFor()
    expect(await main.getByLabel('Name', { exact: true }).inputValue()).toBe('Countess & Co')
    expect(await axe(page)).toEqual([])
    expect(errors).toEqual([])
  },
)

test.each([1440, 360])(
  'DSH-06 owner uploads, replaces and removes the organization’s logo, and reads why a file is refused, at %d px',
  async (width) => {
    const url = `${stage.server.url}/register`
    const { page, errors } = await openPage(stage.browser, { url, width, expected: [422] })
    await register(page, newPerson())
    await dashboardOf(page).waitFor()
    await page.goto(`${stage.server.url}/settings/organization`)
    const main = page.getByRole('main')
    const choose = async (button: string, buffer: Buffer) => {
      await main.getByRole('button', { name: button }).click()
      await page
        .getByRole('dialog')
        .getByLabel('Image')
        .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer })
      await page.getByRole('dialog').getByRole('button', { name: 'Upload', exact: true }).click()
    }
    const picture = main.locator('#organization-logo img')
    expect(await picture.count()).toBe(0)
    await choose('Upload logo', Buffer.from('not an image'))
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Unsupported file type. Upload a JPEG, PNG, WebP or GIF image.').waitFor()
    expect(await axe(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Cancel' }).click()

    await choose('Upload logo', await logo('#0f766e'))
    await page.getByText('Logo updated').waitFor()
    await picture.waitFor()
    await dialog.waitFor({ state: 'detached' })
    const [first] = await Promise.all([
      picture.getAttribute('src'),
      naturalWidth(picture).then((px) => expect(px).toBe(300)),
    ])
    expect(await page.locator(`.switcher:has(#organization-name) img[src="${first}"]`).count()).toBe(1)
    expect(await axe(page)).toEqual([])

    await choose('Replace logo', await logo('#b91c1c'))
    await page.waitForFunction(
      (before) => document.querySelector('#organization-logo img')?.getAttribute('src') !== before,
      first,
    )
    await dialog.waitFor({ state: 'detached' })
    await main.getByRole('button', { name: 'Remove logo' }).press('Enter')
    await page.getByText('Logo removed').waitFor()
    await picture.waitFor({ state: 'detached' })
    expect(await page.locator('.switcher:has(#organization-name) img').count()).toBe(0)
    await main.getByRole('button', { name: 'Upload logo' }).waitFor()
    expect(errors).toEqual([])
  },
)

const logo = (background: string) =>
  sharp({ create: { width: 300, height: 300, channels: 3, background } })
    .png()
    .toBuffer()

const naturalWidth = (image: Locator) =>
  image.evaluate(async (element: HTMLImageElement) => {
    await element.decode()
    return element.naturalWidth
  })

test('PLT-40 toast of a change appears on the next page and not on the page that is being left', async () => {
  const { page, errors } = await openPage(stage.browser, { url: `${stage.server.url}/register` })
  await register(page, newPerson())
  await dashboardOf(page).waitFor()
  const id = await page.evaluate(async () => {
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ name: 'Gone', url: 'http://127.0.0.1:9/gone', events: ['post.failed'] })
    const made: { id: string } = await (await fetch('/api/webhooks', { method: 'POST', headers, body })).json()
    return made.id
  })
  await page.goto(`${stage.server.url}/settings/webhooks/${id}`)
  await page.getByRole('main').getByRole('button', { name: 'More about Gone' }).click()
  await page.getByRole('main').getByRole('button', { name: 'Delete' }).click()
  const { promise: isLeft, resolve: leave } = Promise.withResolvers<void>()
  await page.route('**/settings/webhooks', (route) => isLeft.then(() => route.continue()))
  // Playwright's own waits end only after the navigation.
  const shown = page.evaluate(
    () =>
      new Promise((resolve) => {
        const count = () => resolve(document.querySelectorAll('toast-region .toast').length)
        document.addEventListener('toast', () => setTimeout(count))
      }),
  )
  const remove = page.getByRole('dialog').getByRole('button', { name: 'Delete' })
  await remove.evaluate((button: HTMLButtonElement) => button.click())
  expect(await shown).toBe(0)
  leave()
  await page.getByText('Gone deleted').waitFor()
  expect(errors).toEqual([])
})

test('PLT-40 dialog keeps its input when clicked outside, and an action keeps the focus on its control', async () => {
  const { page, errors } = await openPage(stage.browser, {
    url: `${stage.server.url}/register`,
    width: 360,
    expected: [409],
  })
  await register(page, newPerson())
  await dashboardOf(page).waitFor()
  await page.goto(`${stage.server.url}/settings/webhooks`)
  const main = page.getByRole('main')
  const dialog = page.getByRole('dialog')
  await main.getByRole('button', { name: 'Add webhook' }).click()
  const name = dialog.getByLabel('Name')
  await page.mouse.click(10, 10)
  await dialog.waitFor({ state: 'hidden' })
  await main.getByRole('button', { name: 'Add webhook' }).click()
  await name.fill('W'.repeat(83))
  await page.mouse.click(10, 10)
  expect(await dialog.isVisible()).toBe(true)
  expect(await name.inputValue()).toHaveLength(83)

  await dialog.locator('[name=url]').fill('http://127.0.0.1:9/gone')
  await dialog.getByRole('checkbox').first().check()
  await dialog.getByRole('button', { name: 'Add webhook' }).click()
  await dialog.getByRole('link', { name: 'Done' }).click()
  await page.waitForURL(/webhooks\/[\w-]+$/)
  const menu = main.getByRole('button', { name: /^More about / })
  const choose = async (label: string) => {
    await menu.click()
    await main.getByRole('button', { name: label }).press('Enter')
  }
  await choose('Pause')
  const enable = main.getByRole('button', { name: 'Enable' })
  await enable.waitFor()
  await menu.and(page.locator(':focus')).waitFor()
  await choose('Edit')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await menu.and(page.locator(':focus')).waitFor()

  // Changes by others are in the dialog when it opens, and typed text stays while it is open.
  const rename = (to: string) =>
    page.evaluate(
      async ([at, value]) => {
        const headers = { 'content-type': 'application/json' }
        await fetch(`/api/webhooks/${at}`, { method: 'PATCH', headers, body: JSON.stringify({ name: value }) })
      },
      [new URL(page.url()).pathname.split('/').at(-1), to] as const,
    )
  const heading = main.locator('#webhook')
  await rename('V'.repeat(83))
  await heading.getByText('V'.repeat(83)).waitFor()
  await choose('Edit')
  expect(await name.inputValue()).toBe('V'.repeat(83))
  await name.fill('Half typed')
  await rename('W'.repeat(83))
  await heading.getByText('W'.repeat(83)).waitFor()
  expect(await name.inputValue()).toBe('Half typed')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('Someone changed this webhook in the meantime.').waitFor()
  expect(await name.inputValue()).toBe('Half typed')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await main.locator(`#edit-webhook [name=name][value="${'W'.repeat(83)}"]`).waitFor({ state: 'attached' })
  await choose('Edit')
  expect(await name.inputValue()).toBe('W'.repeat(83))
  await dialog.getByRole('button', { name: 'Save' }).click()
  await menu.and(page.locator(':focus')).waitFor()

  // Closing the dialog of the secret returns the focus to the menu that opened it.
  await choose('Rotate secret')
  await dialog.getByRole('button', { name: 'Rotate' }).click()
  await dialog.getByText('Copy the signing secret now').waitFor()
  await page.keyboard.press('Escape')
  await menu.and(page.locator(':focus')).waitFor()

  // The opened delivery is marked in the list and focused.
  await enable.click()
  await choose('Send test event')
  const deliveries = main.getByRole('list', { name: 'Deliveries, newest first', includeHidden: true })
  await page.setViewportSize({ width: 360, height: 400 })
  await deliveries.getByRole('link', { name: 'webhook.test' }).click()
  await main.getByRole('heading', { name: 'Delivery of webhook.test' }).and(page.locator(':focus')).waitFor()
  expect(await deliveries.locator('[aria-current]').count()).toBe(1)
  // The bar at the top of a narrow window doesn't cover it.
  const bar = await page.locator('.topbar').boundingBox()
  const opened = await main.locator('#delivery').boundingBox()
  expect(opened?.y ?? 0).toBeGreaterThanOrEqual(bar?.height ?? Infinity)
  await page.setViewportSize({ width: 360, height: 900 })
  expect(await deliveries.locator('time').innerText()).toMatch(/ \d\d:\d\d:\d\d (GMT|BST)$/)

  const { sql, close } = openDatabase(stage.database.url, 1)
  await sql`UPDATE platform.webhook_endpoints SET state = 'disabled'`
  await close()
  const path = new URL(page.url()).pathname
  for (const address of ['/settings/webhooks', path]) {
    await page.goto(stage.server.url + address)
    await main.getByText('Disabled', { exact: true }).waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
    const box = main.getByText('W'.repeat(83), { exact: true })
    expect(await box.evaluate((element) => element.getBoundingClientRect().width)).toBeGreaterThan(150)
  }

  await choose('Delete')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  const toast = page.locator('.toast', { hasText: /W deleted/ })
  expect(await toast.evaluate((element) => element.getBoundingClientRect().right)).toBeLessThanOrEqual(360)
  expect(errors).toEqual([])
})
