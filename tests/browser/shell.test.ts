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
    expect(await menu.getByRole('link').allInnerTexts()).toEqual(['Developers', 'Identity', 'Social'])
    expect(await axe(page)).toEqual([])
    await menu.getByRole('link', { name: 'Identity' }).click()
    await page.getByRole('heading', { level: 1, name: 'Profile' }).waitFor()
    await openDrawer(page, width)
    await page.getByRole('button', { name: /^Organization:/ }).click()
    expect(await axe(page)).toEqual([])
    await page.locator('#organizations-menu').getByRole('button', { name: host.person.workspace }).click()
    await page.waitForURL('**/workspace/posts')
    await openDrawer(page, width)
    await page.getByRole('button', { name: 'Brand: Verlag' }).waitFor()
    await page.getByRole('button', { name: 'App: Social' }).click()
    await menu.getByRole('button', { name: 'Personal' }).click()
    await page.waitForURL('**/settings/workspaces')
    await openDrawer(page, width)
    await page.getByRole('button', { name: 'Organization: Personal' }).waitFor()
    expect(errors).toEqual([])
  },
)

/** Inserts the membership directly, since the test is about the frame. */
async function join(person: Publisher, host: Publisher): Promise<void> {
  const { sql, close } = openDatabase(stage.database.url, 1)
  await sql`INSERT INTO identity.memberships (organization_id, user_id, role, created_at)
    SELECT ${host.organizationId}, id, 'editor', now() FROM identity.users WHERE email = ${person.person.email}`
  await close()
}
