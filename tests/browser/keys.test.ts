import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import postgres from 'postgres'
import { axe, openPage } from '../support/browser.ts'
import { openTestSite, type TestSite } from './test-site.ts'
import { createFirstBrand, newPerson, register } from './person.ts'

let stage: TestSite

beforeAll(async () => {
  stage = await openTestSite()
})
afterAll(() => stage.close())

const main = (page: Page) => page.getByRole('main')
const dialog = (page: Page) => page.getByRole('dialog')
const look = async (page: Page, name: string) => {
  const folder = process.env['SHOTS']
  if (folder) await page.screenshot({ path: `${folder}/${name}.png` })
}

/** The key in the dialog that shows it. */
async function shownKey(page: Page): Promise<string> {
  const text = await dialog(page).getByRole('status', { name: 'Your new key' }).textContent()
  return text ?? ''
}

const send = async (key: string): Promise<number> =>
  (await fetch(`${stage.server.url}/api/posts`, { headers: { authorization: `Bearer ${key}` } })).status

async function act(page: Page, name: string) {
  // The key that is being replaced comes first.
  await main(page).getByRole('button', { name: 'More about CI pipeline' }).last().click()
  await main(page).getByRole('button', { name }).filter({ visible: true }).click()
}

test.each([
  [1440, 'light'],
  [360, 'dark'],
] as const)(
  'IDN-30 PLT-40 PLT-41 owner creates, uses, rotates and revokes a key, at %d px in %s',
  async (width, scheme) => {
    const { page, errors } = await openPage(stage.browser, {
      url: `${stage.server.url}/register`,
      width,
      scheme,
      expected: [422],
    })
    await register(page, newPerson())
    await createFirstBrand(page, 'Acme Coffee')
    await page.goto(`${stage.server.url}/settings/keys`)
    await main(page).getByText('No keys yet').waitFor()
    expect(await axe(page)).toEqual([])
    await look(page, `keys-none-${width}`)

    await main(page).getByRole('button', { name: 'Create key' }).click()
    await dialog(page).getByLabel('Name').fill('CI pipeline')
    await dialog(page).getByRole('button', { name: 'Create key' }).click()
    await dialog(page).getByText('Choose at least one scope').waitFor()
    expect(await dialog(page).getByLabel('analytics').count()).toBe(0)
    await dialog(page).getByLabel('posts.read').check()
    await dialog(page).getByLabel('Brand', { exact: true }).selectOption({ label: 'Acme Coffee' })
    expect(await axe(page)).toEqual([])
    await look(page, `keys-new-${width}`)
    await dialog(page).getByRole('button', { name: 'Create key' }).click()
    await dialog(page).getByText('Copy it now').waitFor()
    expect(await axe(page)).toEqual([])
    await look(page, `keys-made-${width}`)
    const first = await shownKey(page)
    await dialog(page).getByRole('button', { name: 'Copy key' }).click()
    await dialog(page)
      .getByText(/^(Copied|Press)/)
      .waitFor()
    expect(await send(first)).toBe(200)
    await page.keyboard.press('Escape')

    await main(page).getByText('Social, Acme Coffee only').filter({ visible: true }).waitFor()
    expect(await page.content()).not.toContain(first)
    expect(await axe(page)).toEqual([])
    await look(page, `keys-list-${width}`)
    await act(page, 'Rotate')
    await look(page, `keys-rotate-${width}`)
    await dialog(page).getByRole('button', { name: 'Rotate' }).click()
    await dialog(page).getByText('Copy it now').waitFor()
    const second = await shownKey(page)
    expect([await send(first), await send(second)]).toEqual([200, 200])
    await dialog(page).getByRole('link', { name: 'Done' }).click()

    await main(page).getByText('Being replaced', { exact: true }).waitFor()
    await act(page, 'Revoke')
    await look(page, `keys-revoke-${width}`)
    expect(await axe(page)).toEqual([])
    await dialog(page).getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('CI pipeline revoked').waitFor()
    await main(page).getByText('Revoked', { exact: true }).waitFor()
    await main(page).locator('tr :is(a, button):focus').waitFor()
    expect([await send(first), await send(second)]).toEqual([200, 401])
    await look(page, `keys-end-${width}`)
    expect(await axe(page)).toEqual([])
    expect(errors).toEqual([])
  },
)

/** Moves every use of a scope a month into the past. */
async function letAMonthPass() {
  const sql = postgres(stage.database.url, { max: 1 })
  await sql`UPDATE identity.api_key_scopes SET watched_since = watched_since - interval '31 days'`
  await sql.end()
}

test('IDN-30 key is rotated without its unused scopes in one step', async () => {
  const { page, errors } = await openPage(stage.browser, {
    url: `${stage.server.url}/register`,
    width: 360,
    scheme: 'dark',
  })
  await register(page, newPerson())
  await createFirstBrand(page, 'Acme Coffee')
  await page.goto(`${stage.server.url}/settings/keys`)
  await main(page).getByRole('button', { name: 'Create key' }).click()
  await dialog(page).getByLabel('Name').fill('Reader')
  for (const scope of ['posts.read', 'posts.write']) await dialog(page).getByLabel(scope).check()
  await dialog(page).getByRole('button', { name: 'Create key' }).click()
  await dialog(page).getByText('Copy it now').waitFor()
  await letAMonthPass()
  expect(await send(await shownKey(page))).toBe(200)
  await dialog(page).getByRole('link', { name: 'Done' }).click()
  await main(page).getByText('1 of 2 scopes unused').waitFor()
  await main(page).getByRole('link', { name: 'Reader' }).click()
  await main(page).getByText('been used for 30 days: posts.write').waitFor()
  expect(await axe(page)).toEqual([])
  await look(page, 'keys-unused-360')
  if (process.env['SHOTS']) {
    await page.setViewportSize({ width: 1440, height: 900 })
    await look(page, 'keys-unused-1440')
  }
  await main(page).getByRole('button', { name: 'Reduce scopes' }).click()
  expect(await axe(page)).toEqual([])
  await look(page, 'keys-reduce')
  await dialog(page).getByRole('button', { name: 'Rotate' }).click()
  await dialog(page).getByText('Copy it now').waitFor()
  const key = await shownKey(page)
  const post = { method: 'POST', headers: { authorization: `Bearer ${key}` } }
  expect([await send(key), (await fetch(`${stage.server.url}/api/posts`, post)).status]).toEqual([200, 403])
  expect(errors).toEqual([])
})
