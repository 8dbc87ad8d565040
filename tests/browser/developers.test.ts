import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Locator, Page } from 'playwright-core'
import { createSuperAdminLink } from '#identity'
import { openDatabase } from '#lib/db.ts'
import { axe, openPage } from '../support/browser.ts'
import { openPlace } from './person.ts'
import { main, openTestSite, createPublisher, type TestSite } from './test-site.ts'

let stage: TestSite

beforeAll(async () => {
  stage = await openTestSite()
})

afterAll(() => stage.close())

const look = async (page: Page, name: string) => {
  const folder = process.env['SHOTS']
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
}

async function reviewer(width: number, scheme: 'light' | 'dark') {
  const database = openDatabase(stage.database.url, 1)
  const path = await createSuperAdminLink(database.db, `root-${width}@example.com`, new Date())
  await database.close()
  const opened = await openPage(stage.browser, { url: stage.server.url + path, width, scheme })
  await opened.page.getByLabel('Your name').fill('Root')
  await opened.page.getByLabel('Password', { exact: true }).fill('correct horse battery')
  await opened.page.getByRole('button', { name: 'Become a super admin' }).click()
  await main(opened.page).getByRole('heading', { name: 'Organizations' }).waitFor()
  return opened
}

test.each([
  [1440, 'light'],
  [360, 'dark'],
] as const)(
  'IDN-34 owner becomes a developer, creates an app with an action and a key, has it reviewed and publishes it, at %d px in %s',
  async (width, scheme) => {
    const owner = await createPublisher(stage)
    const { page, errors } = await owner.open('/developers', { width, scheme, expected: [422] })
    const button = (name: string) => main(page).getByRole('button', { name, exact: true })
    const tab = (name: string) =>
      page.getByRole('navigation', { name: 'App', exact: true }).getByRole('link', { name }).click()
    await button('Turn on developer access').click()
    await main(page).getByText('Create your first app').waitFor()
    expect(await axe(page)).toEqual([])
    await look(page, `developers-empty-${width}`)

    await button('New app').click()
    const draft = page.getByRole('dialog', { name: 'New app' })
    await draft.getByLabel('Name', { exact: true }).fill(`Order desk ${width}`)
    await draft.getByLabel('Description').fill('Shows orders.')
    await draft.getByLabel('Address').fill('https://orders.example')
    expect(await axe(page)).toEqual([])
    await look(page, `developers-new-${width}`)
    await draft.getByRole('button', { name: 'Create app' }).click()
    await main(page)
      .getByRole('heading', { level: 1, name: `Order desk ${width}` })
      .waitFor()
    // Changes replace the app in place: the button that opened the dialog keeps the focus.
    const navigations: string[] = []
    page.on('request', (request) => request.isNavigationRequest() && navigations.push(request.url()))
    const edit = async (opener: string, fill: (dialog: Locator) => Promise<void>) => {
      await button(opener).click()
      const dialog = page.getByRole('dialog')
      await fill(dialog)
      await dialog.getByRole('button', { name: 'Save' }).click()
      return dialog
    }
    const refused = await edit('Edit redirect URIs', (dialog) =>
      dialog.getByLabel('Redirect URIs').fill('http://orders.example/callback'),
    )
    await refused.locator('#app-redirectUris-error', { hasText: 'Must be an https URL' }).waitFor()
    expect(await axe(page)).toEqual([])
    await refused.getByLabel('Redirect URIs').fill('https://orders.example/callback')
    await refused.getByRole('button', { name: 'Save' }).click()
    await main(page).getByText('https://orders.example/callback', { exact: true }).first().waitFor()
    await button('Edit redirect URIs').and(page.locator(':focus')).waitFor()
    await edit('Edit permissions', (dialog) => dialog.getByLabel('App permissions').fill('orders:read View orders'))
    await main(page).getByText('View orders', { exact: true }).waitFor()
    await edit('Choose scopes', (dialog) => dialog.getByLabel('platform-socialize/posts.read').check())
    await main(page).getByRole('list', { name: 'Scopes' }).getByText('platform-socialize/posts.read').waitFor()
    expect(navigations).toEqual([])
    expect(await axe(page)).toEqual([])
    await look(page, `developers-overview-${width}`)

    await tab('Actions')
    await main(page).getByRole('link', { name: 'New action' }).click()
    await main(page).getByLabel('Name', { exact: true }).fill('listOrders')
    await main(page).getByLabel('Summary').fill('List orders')
    await main(page).getByLabel('Path').fill('/api/orders')
    await main(page).getByLabel('Input').fill('{\n  "type": "object",\n}')
    await button('Create action').click()
    await main(page).getByText('Unexpected } on line 3.').waitFor()
    expect(await axe(page)).toEqual([])
    await look(page, `developers-action-${width}`)
    await main(page).getByLabel('Input').fill('{ "type": "object" }')
    await button('Create action').click()
    await main(page).getByText('Draft of version 1').waitFor()
    expect(await axe(page)).toEqual([])
    await look(page, `developers-actions-${width}`)

    await tab('Keys')
    await button('New key').click()
    const dialog = page.getByRole('dialog', { name: 'New API key' })
    await dialog.getByLabel('Name').fill('Trial')
    await dialog.getByRole('button', { name: 'Create key' }).click()
    await dialog.getByText('Copy it now').waitFor()
    await dialog.getByRole('link', { name: 'Done' }).click()
    await main(page).getByText('Trial', { exact: true }).waitFor()
    expect(await axe(page)).toEqual([])
    await look(page, `developers-keys-${width}`)

    await tab('Review')
    await button('Submit for review').click()
    await main(page).getByText('In review', { exact: true }).waitFor()
    expect(await axe(page)).toEqual([])

    const root = await reviewer(width, scheme)
    await openPlace(root.page, 'App reviews')
    await main(root.page)
      .getByRole('link', { name: `Order desk ${width}` })
      .click()
    await main(root.page).getByRole('button', { name: 'Approve' }).waitFor()
    expect(await axe(root.page)).toEqual([])
    await look(root.page, `admin-app-${width}`)
    await main(root.page).getByRole('button', { name: 'Approve' }).click()
    await main(root.page).getByText('Approved', { exact: true }).waitFor()
    await openPlace(root.page, 'App reviews')
    await main(root.page).getByRole('heading', { name: 'App reviews' }).waitFor()
    expect(await axe(root.page)).toEqual([])
    await look(root.page, `admin-apps-${width}`)

    await page.reload()
    await button('Publish').click()
    await main(page).getByText('Published', { exact: true }).waitFor()
    await look(page, `developers-published-${width}`)
    await page.goto(`${stage.server.url}/developers`)
    await main(page)
      .getByRole('link', { name: `Order desk ${width}` })
      .waitFor()
    expect(await axe(page)).toEqual([])
    await look(page, `developers-apps-${width}`)
    expect([...errors, ...root.errors]).toEqual([])
  },
  120_000,
)
