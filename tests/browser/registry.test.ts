import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { createSuperAdminLink } from '#identity'
import { openDatabase } from '#lib/db.ts'
import { axe, openPage } from '../support/browser.ts'
import { openPlace } from './person.ts'
import { openAs, main, openTestSite, createPublisher, type TestSite } from './test-site.ts'

let stage: TestSite

beforeAll(async () => {
  stage = await openTestSite()
})

afterAll(() => stage.close())

async function asRoot(): Promise<{ page: Page; errors: string[] }> {
  const database = openDatabase(stage.database.url, 1)
  const path = await createSuperAdminLink(database.db, 'root@example.com', new Date())
  await database.close()
  const opened = await openPage(stage.browser, { url: stage.server.url + path, expected: [409, 422] })
  await opened.page.getByLabel('Your name').fill('Root')
  await opened.page.getByLabel('Password', { exact: true }).fill('correct horse battery')
  await opened.page.getByRole('button', { name: 'Become a super admin' }).click()
  await main(opened.page).getByRole('heading', { name: 'Organizations' }).waitFor()
  return opened
}

/** Checks the page with axe and for overflow: wide and light, narrow and dark. */
async function isSound(page: Page) {
  expect(await axe(page)).toEqual([])
  await page.setViewportSize({ width: 360, height: 900 })
  await page.emulateMedia({ colorScheme: 'dark' })
  // Scrolled to the end: targets half covered by the bar at the bottom would count as too small.
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
  expect(await axe(page, ['color-contrast', 'target-size'])).toEqual([])
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(overflow).toBe(0)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.emulateMedia({ colorScheme: 'light' })
}

test('IDN-12 IDN-20 PLT-40 super admin creates a service, sets its role bundles and grants it to an organization', async () => {
  const owner = await createPublisher(stage)
  const { page, errors } = await asRoot()
  await openPlace(page, 'Services')
  await main(page).getByRole('link', { name: 'Social' }).waitFor()
  await isSound(page)
  await main(page).getByRole('button', { name: 'New service' }).click()
  const asking = page.getByRole('dialog', { name: 'New service' })
  await asking.getByLabel('Name').fill('Maps')
  await asking.getByLabel('Slug').fill('acme-maps')
  await asking.getByLabel('Description').fill('Maps and directions')
  await asking.getByRole('button', { name: 'Add service' }).click()

  await main(page).getByRole('heading', { name: 'Maps' }).waitFor()
  const asksToLeave = page.waitForEvent('dialog')
  await main(page).getByLabel('Web URL').fill('Typed and left')
  const reloading = page.reload()
  await (await asksToLeave).accept()
  await reloading
  await main(page).getByLabel('Show in the app switcher').check()
  await main(page).getByRole('button', { name: 'Save', exact: true }).click()
  await main(page).getByText('Required for launchable services.').first().waitFor()
  await main(page).getByLabel('Web URL').fill('https://maps.example/')
  await main(page).getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Maps updated').waitFor()
  expect(await main(page).getByLabel('Show in the app switcher').isChecked()).toBe(true)

  await main(page).getByRole('button', { name: 'Add a permission' }).click()
  const adding = page.getByRole('dialog', { name: 'Add a permission' })
  await adding.getByLabel('Scope').fill('maps.read')
  await adding.getByLabel('Description').fill('View maps')
  await adding.getByRole('button', { name: 'Add' }).click()
  await main(page).getByLabel('Editor has maps:read').check()
  await main(page).getByRole('button', { name: 'Save roles' }).click()
  await page.getByText('Role permissions updated').waitFor()
  expect(await main(page).getByLabel('Editor has maps:read').isChecked()).toBe(true)
  expect(await main(page).getByLabel('Viewer has maps:read', { exact: true }).isChecked()).toBe(false)
  await isSound(page)

  await openPlace(page, 'Organizations')
  await main(page).getByRole('link', { name: owner.person.workspace }).click()
  await main(page).getByRole('button', { name: 'Enable Maps' }).click()
  await main(page).getByRole('button', { name: 'Disable Maps' }).waitFor()
  await isSound(page)
  expect(errors).toEqual([])
})

test('IDN-13 PLT-40 owner sees why a member has a permission and creates an override', async () => {
  const owner = await createPublisher(stage)
  const { page, errors } = await openAs(stage, owner.person, '/settings/members', {})
  await main(page).getByRole('link', { name: owner.person.name }).click()
  const social = main(page).getByRole('table', { name: 'Permissions of Social' })
  const row = (permission: string) => social.getByRole('row').filter({ hasText: permission })
  await row('posts:write').getByText('Granted by the owner role.').waitFor()
  await isSound(page)
  await main(page).getByRole('button', { name: 'Add override' }).click()
  const dialog = page.getByRole('dialog', { name: /^Add an override for/ })
  await dialog.getByLabel('Permission').selectOption({ label: 'Social: images:override' })
  await dialog.getByLabel('Effect', { exact: true }).selectOption('deny')
  await dialog.getByLabel('Reason').fill('Too dear.')
  await dialog.getByRole('button', { name: 'Add' }).click()
  await row('images:override').getByText('Too dear.').waitFor()
  await isSound(page)
  expect(errors).toEqual([])
})
