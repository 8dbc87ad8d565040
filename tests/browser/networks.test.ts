import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { appPassword, startBluesky, type BlueskyCounterpart } from '../counterparts/bluesky.ts'
import { startMastodon, type MastodonCounterpart } from '../counterparts/mastodon.ts'
import { eventually } from '../boot/program.ts'
import { axe, openPage } from '../support/browser.ts'
import { openTestSite, type TestSite } from './test-site.ts'
import { connectFromComposer, createFirstBrand, newPerson, register } from './person.ts'

let bluesky: BlueskyCounterpart
let mastodon: MastodonCounterpart
let stage: TestSite

beforeAll(async () => {
  bluesky = startBluesky()
  mastodon = startMastodon()
  stage = await openTestSite({ BLUESKY_RESOLVER_URL: bluesky.url, PLC_DIRECTORY_URL: bluesky.url })
})

afterAll(async () => {
  await stage.close()
  await Promise.all([bluesky.stop(), mastodon.stop()])
})

/** A person with a brand, on the brand's accounts page. */
async function atAccounts(options: { width?: number; scheme?: 'light' | 'dark'; expected?: number[] } = {}) {
  const opened = await openPage(stage.browser, { url: `${stage.server.url}/register`, ...options })
  await register(opened.page, newPerson())
  await createFirstBrand(opened.page, 'Acme Coffee')
  return opened
}

const card = (page: Page, name: string) => page.getByRole('article', { name, exact: true })

async function openDialog(page: Page, network: string) {
  await card(page, network).getByRole('button', { name: 'Connect', exact: true }).click()
  return page.getByRole('dialog', { name: `Connect ${network}` })
}

test('SOC-08 SOC-05 new person connects Bluesky, publishes there and deletes the post', async () => {
  const { did } = bluesky.account('ada.example.com')
  const { page, errors } = await atAccounts({ expected: [422] })
  const dialog = await openDialog(page, 'Bluesky')
  await dialog.getByLabel('Handle').fill('ada.example.com')
  await dialog.getByText('Use an app password instead').click()
  await dialog.getByLabel('App password').fill('wrong-word')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByText('Don’t use your account password').waitFor()
  expect(await dialog.getByLabel('App password').getAttribute('aria-invalid')).toBe('true')
  expect(await axe(page)).toEqual([])
  await dialog.getByLabel('App password').fill(appPassword)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await card(page, 'Bluesky').getByText('ada.example.com', { exact: true }).waitFor()

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'New post' }).click()
  await page.getByLabel('Text', { exact: true }).fill('Fresh beans: https://example.com')
  await page.getByText('32 / 300').waitFor()
  await page.getByRole('radio', { name: 'Now' }).press('Space')
  await page.getByRole('button', { name: 'Publish now' }).click()
  await page.locator('.page-header .status', { hasText: 'Published' }).waitFor()
  expect(bluesky.posts(did).map(({ value }) => value.text)).toEqual(['Fresh beans: https://example.com'])

  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('button', { name: 'Delete from Bluesky' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete from Bluesky' }).click()
  await page.getByText('Deleted on').waitFor()
  expect(bluesky.posts(did)).toEqual([])
  expect(await page.getByRole('link', { name: 'Open on Bluesky' }).count()).toBe(0)
  expect(await axe(page)).toEqual([])
  expect(errors).toEqual([])
})

test('SOC-05 consent on a Mastodon instance connects the account, and a denial is shown and changes nothing', async () => {
  const { page, errors } = await atAccounts({ width: 360, scheme: 'dark' })
  const leave = async () => {
    const dialog = await openDialog(page, 'Mastodon')
    await dialog.getByLabel('Instance').fill(mastodon.url)
    expect(await axe(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Continue' }).click()
  }
  await leave()
  await page.getByRole('link', { name: 'Deny' }).click()
  await page.getByText('Couldn’t connect a Mastodon account').waitFor()
  expect(await axe(page)).toEqual([])
  await leave()
  await page.getByRole('link', { name: 'Authorize' }).click()
  await card(page, 'Mastodon').getByText(`@ada@${mastodon.host}`, { exact: true }).waitFor()
  expect(await page.getByText('Couldn’t connect a Mastodon account').count()).toBe(0)
  expect(errors).toEqual([])
})

test('SOC-08 SOC-05 person signs in with Bluesky on its own page, also after a denial', async () => {
  const { page, errors } = await atAccounts({ width: 400, scheme: 'dark', expected: [422] })
  bluesky.account('ada.example.com')
  const begin = async (handle: string) => {
    const dialog = await openDialog(page, 'Bluesky')
    await dialog.getByLabel('Handle').fill(handle)
    await dialog.getByRole('button', { name: 'Continue' }).click()
    return dialog
  }
  const dialog = await begin('nowhere.example.com')
  await dialog.getByText('No account with this handle exists.').waitFor()
  expect(await axe(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await begin('ada.example.com')
  await page.getByRole('link', { name: 'Deny' }).click()
  await page.getByText('Access to Bluesky was denied').waitFor()
  await begin('ada.example.com')
  await page.getByRole('link', { name: 'Authorize' }).click()
  await card(page, 'Bluesky').getByText('ada.example.com', { exact: true }).waitFor()
  expect(errors).toEqual([])
})

test('SOC-30 SOC-05 accounts are connected in the composer, also by consent on a Mastodon instance, without losing input', async () => {
  bluesky.account('grace.example.com')
  const { page, errors } = await atAccounts()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'New post' }).click()
  const text = page.getByLabel('Text', { exact: true })
  const account = (name: string) => page.getByRole('checkbox', { name })
  await text.fill('Typed before connecting')
  await page.getByRole('button', { name: 'Connect an account' }).click()
  await page.getByRole('button', { name: 'Bluesky', exact: true }).waitFor()
  expect(await axe(page)).toEqual([])
  await page.keyboard.press('Escape')
  await connectFromComposer(page, 'Bluesky', { Handle: 'grace.example.com', 'App password': appPassword })
  await page.getByText('23 / 300').waitFor()
  expect([await account('Bluesky: grace.example.com').isChecked(), await text.inputValue()]).toEqual([
    true,
    'Typed before connecting',
  ])

  await text.fill('Typed before the consent page')
  await connectFromComposer(page, 'Mastodon', { Instance: mastodon.url })
  await page.getByRole('link', { name: 'Deny' }).click()
  await page.getByText('Access to Mastodon was denied').waitFor()
  // The script of the composer fills it in after the page is shown.
  expect(await eventually(async () => (await text.inputValue()) === 'Typed before the consent page')).toBe(true)
  await connectFromComposer(page, 'Mastodon', { Instance: mastodon.url })
  await page.getByRole('link', { name: 'Authorize' }).click()
  await account(`Mastodon: @ada@${mastodon.host}`).waitFor()
  await page.locator('#saved-state', { hasText: /^Saved/ }).waitFor()
  expect([
    await text.inputValue(),
    await account('Bluesky: grace.example.com').isChecked(),
    await account(`Mastodon: @ada@${mastodon.host}`).isChecked(),
    new URL(page.url()).searchParams.has('account'),
  ]).toEqual(['Typed before the consent page', true, true, false])
  expect(errors).toEqual([])
})
