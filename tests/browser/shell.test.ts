import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { openDatabase } from '#lib/db.ts'
import { eventually } from '../boot/program.ts'
import { axe } from '../support/browser.ts'
import { openTestSite, createPublisher, type Publisher, type TestSite } from './test-site.ts'

let stage: TestSite
beforeAll(async () => {
  stage = await openTestSite()
})
afterAll(() => stage.close())

const openDrawer = async (page: Page, width: number) =>
  width < 1000 && page.getByRole('button', { name: 'More', exact: true }).click()
const background = (page: Page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor)

test.each([1440, 360])(
  'IDN-21 PLT-40 chosen color scheme applies immediately and on every later page, and System removes it, at %d px',
  async (width) => {
    const ada = await createPublisher(stage)
    const { page, errors } = await ada.open('/workspace/posts', { width })
    const light = await background(page)
    await openDrawer(page, width)
    await page.getByRole('button', { name: /^Account/ }).click()
    const saved = page.waitForResponse('**/api/app-switcher/preferences')
    await page.getByRole('button', { name: 'Dark', exact: true }).click()
    expect(await background(page)).not.toBe(light)
    expect(await page.getByRole('button', { name: 'Dark', exact: true, pressed: true }).count()).toBe(1)
    expect(await axe(page)).toEqual([])
    await saved
    await page.goto(`${stage.server.url}/workspace/accounts`)
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
    expect(await background(page)).not.toBe(light)
    expect(await axe(page, ['color-contrast'])).toEqual([])

    await page.keyboard.press('Control+k')
    await page.keyboard.type('system theme')
    await page.getByRole('option', { name: 'System theme', selected: true }).waitFor()
    const undone = page.waitForResponse('**/api/app-switcher/preferences')
    await page.keyboard.press('Enter')
    expect(await eventually(async () => (await background(page)) === light)).toBe(true)
    await undone
    await page.reload()
    expect(await page.locator('html').getAttribute('data-theme')).toBe(null)
    expect(errors).toEqual([])
  },
)

test.each([1440, 360])(
  'PLT-42 IDN-10 IDN-25 app switcher opens each app, each organization and the personal context, at %d px',
  async (width) => {
    const [ada, host] = [await createPublisher(stage), await createPublisher(stage, { brand: 'Verlag' })]
    await join(ada, host)
    const { page, errors } = await ada.open('/workspace/posts', { width })
    await openDrawer(page, width)
    await page.getByRole('button', { name: 'App: Social' }).click()
    const menu = page.locator('#apps-menu')
    expect(await menu.getByRole('link').allInnerTexts()).toEqual([
      'Dashboard',
      'Developers',
      'Gateway',
      'Payments',
      'Social',
    ])
    expect(await axe(page)).toEqual([])
    await page.goto(`${stage.server.url}/settings/profile`)
    await openDrawer(page, width)
    await page.getByRole('button', { name: /^Organization:/ }).click()
    expect(await axe(page)).toEqual([])
    await page.locator('#organizations-menu').getByRole('button', { name: host.person.workspace }).click()
    await page.waitForURL('**/dashboard')
    await openDrawer(page, width)
    await page.getByRole('button', { name: 'App: Dashboard' }).click()
    await menu.getByRole('link', { name: 'Social' }).click()
    await page.waitForURL('**/workspace/posts')
    await openDrawer(page, width)
    await page.getByRole('button', { name: 'Brand: Verlag' }).waitFor()
    await page.getByRole('button', { name: 'App: Social' }).click()
    await menu.getByRole('button', { name: 'Personal' }).click()
    await page.waitForURL('**/settings/workspaces')
    const labels = page.locator('.tabbar a > span')
    const lines = await labels.evaluateAll((all) => all.map((label) => label.getClientRects().length))
    expect(lines.every((count) => count <= 1)).toBe(true)
    await openDrawer(page, width)
    await page.getByRole('button', { name: 'Organization: Personal' }).waitFor()
    expect(errors).toEqual([])
  },
)

test('PLT-40 high contrast themes show the current place and tab, checked boxes and the edges of menus', async () => {
  const ada = await createPublisher(stage)
  await ada.fetchJson('POST /api/posts', { brandId: ada.brandId, provider: 'sandbox', text: 'Hello' })
  const { page, errors } = await ada.open('/workspace/posts')
  await page.emulateMedia({ forcedColors: 'active' })
  const styleOf = (selector: string, pseudo?: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element, part) => {
        const { backgroundColor, borderTopWidth, borderBottomColor } = getComputedStyle(element, part)
        return { backgroundColor, borderTopWidth, borderBottomColor }
      }, pseudo)
  for (const group of ['.nav', '.tabs']) {
    const [current, other] = [await styleOf(`${group} [aria-current]`), await styleOf(`${group} a:not([aria-current])`)]
    expect(current.backgroundColor).not.toBe(other.backgroundColor)
  }
  expect((await styleOf('.tabs [aria-current] .badge')).backgroundColor).toBe('rgba(0, 0, 0, 0)')
  const box = 'tbody input[type=checkbox]'
  await page.locator(box).first().check()
  expect((await styleOf(box, '::before')).backgroundColor).not.toBe((await styleOf(box)).backgroundColor)
  await page
    .getByRole('button', { name: /^More actions/ })
    .first()
    .click()
  expect((await styleOf('.menu:popover-open')).borderTopWidth).toBe('1px')
  expect(errors).toEqual([])
})

test('PLT-40 frame of a new organization with a long name: the switcher stays in the sidebar, and no posts have no filters', async () => {
  const ada = await createPublisher(stage)
  await ada.fetchJson(`PUT /api/organizations/${ada.organizationId}`, { name: 'Donaudampfschifffahrt'.repeat(4) })
  const { page } = await ada.open('/settings/profile')
  const [inside, frame] = [await rectOf(page, '.switcher[data-framed]'), await rectOf(page, '#sidebar')]
  expect(inside.right).toBeLessThan(frame.right)
  await page.goto(`${stage.server.url}/workspace/posts`)
  await page.getByText('No posts yet').waitFor()
  expect(await page.getByRole('search').count()).toBe(0)
})

test('PLT-40 no bar covers what has the focus in the composer, at 200 % zoom', async () => {
  const ada = await createPublisher(stage)
  const { page } = await ada.open('/workspace/posts/new', { width: 720 })
  await page.setViewportSize({ width: 720, height: 450 })
  expect(await page.locator('.tabbar [aria-current]').innerText()).toBe('New post')
  await page.getByLabel('Text', { exact: true }).focus()
  const covered: string[] = []
  for (let tabs = 0; tabs < 20; tabs++) {
    await page.keyboard.press('Tab')
    const name = await page.evaluate(() => {
      const focused = document.activeElement
      if (!focused) return null
      const { left, top, width, height } = focused.getBoundingClientRect()
      const atop = document.elementFromPoint(left + width / 2, top + height / 2)
      const bar = atop?.closest('.dock, .tabbar, .topbar')
      return bar && !bar.contains(focused) ? focused.outerHTML.slice(0, 80) : null
    })
    if (name) covered.push(name)
  }
  expect(covered).toEqual([])
  expect(await page.locator('.dock').evaluate((dock) => getComputedStyle(dock).position)).toBe('static')
})

const rectOf = (page: Page, selector: string) =>
  page.locator(selector).evaluate((element) => {
    const { right, bottom } = element.getBoundingClientRect()
    return { right, bottom }
  })

/** Inserts the membership directly, since the test is about the frame. */
async function join(person: Publisher, host: Publisher): Promise<void> {
  const { sql, close } = openDatabase(stage.database.url, 1)
  await sql`INSERT INTO identity.memberships (organization_id, user_id, role, created_at)
    SELECT ${host.organizationId}, id, 'editor', now() FROM identity.users WHERE email = ${person.person.email}`
  await close()
}
