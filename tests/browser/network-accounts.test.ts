import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import type { Person } from '../counterparts/facebook/directory.ts'
import { startFacebook, type FacebookCounterpart } from '../counterparts/facebook/index.ts'
import { axe } from '../support/browser.ts'
import { administer } from '../support/database.ts'
import { networkEnv } from '../social/networks/support/origins.ts'
import { createPublisher, main, openTestSite, status, type Publisher, type TestSite } from './test-site.ts'

let facebook: FacebookCounterpart
let stage: TestSite
let ada: Publisher
let person: Person
let pages: ReturnType<FacebookCounterpart['directory']['page']>[]

beforeAll(async () => {
  facebook = startFacebook({ hasGroups: true })
  stage = await openTestSite(networkEnv({ facebook }))
  ada = await createPublisher(stage)
  const { app } = facebook
  app.redirectUris.push(`${stage.server.url}/workspace/accounts/callback/facebook`)
  await ada.fetchJson('PUT /api/credentials/facebook', {
    level: 'organization',
    label: 'Main',
    secret: { clientId: app.clientId, clientSecret: app.clientSecret },
  })
  person = facebook.directory.person('Ada')
  pages = ['Acme Berlin', 'Acme Hamburg'].map((name) => facebook.directory.page(name, person))
  facebook.directory.group('Acme Neighbors', person)
})
afterAll(async () => {
  await stage.close()
  await facebook.stop()
})

const consent = async (page: Page) => {
  await main(page)
    .getByRole('article', { name: 'Facebook' })
    .getByRole('button', { name: /^Connect/ })
    .click()
  await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('link', { name: 'Continue' }).click()
  await main(page).getByRole('heading', { name: 'Choose where Acme Coffee can publish' }).waitFor()
}
const box = (page: Page, name: string) => main(page).getByRole('checkbox', { name })

test('SOC-05 SOC-06 Pages are chosen by keyboard, and Groups warn and aren’t chosen beforehand', async () => {
  const { page, errors } = await ada.open('/workspace/accounts', { width: 360, scheme: 'dark' })
  await consent(page)
  await main(page).getByText('Meta withdrew publishing to Groups in April 2024').waitFor()
  expect(await box(page, 'Acme Neighbors').isChecked()).toBe(false)
  expect(await axe(page)).toEqual([])
  await box(page, 'Acme Hamburg').focus()
  await page.keyboard.press('Space')
  expect(await box(page, 'Acme Hamburg').isChecked()).toBe(false)
  const connecting = main(page).getByRole('button', { name: 'Connect' })
  for (let presses = 0; presses < 5 && !(await connecting.evaluate((one) => one === document.activeElement)); presses++)
    await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  const card = main(page).getByRole('article', { name: 'Facebook' })
  await card.getByText('Acme Berlin').waitFor()
  expect(await card.getByText('Acme Hamburg').count()).toBe(0)
  expect(errors).toEqual([])
  await page.close()
})

test('SOC-05 Page that a consent left out is named, and an account without Pages is led back', async () => {
  const { page, errors } = await ada.open('/workspace/accounts')
  const [berlin, hamburg] = pages
  if (berlin) facebook.directory.dismiss(person, berlin)
  await consent(page)
  await main(page).getByText('You left out Acme Berlin').waitFor()
  expect(await axe(page)).toEqual([])
  await main(page).getByRole('link', { name: 'Cancel' }).click()
  if (hamburg) facebook.directory.dismiss(person, hamburg)
  for (const group of facebook.directory.groups.values()) facebook.directory.dismiss(person, group)
  await consent(page)
  await main(page).getByText('Facebook gave Atrium access to no Page.').waitFor()
  expect(await axe(page)).toEqual([])
  await main(page).getByRole('link', { name: 'Back to accounts' }).click()
  await main(page).getByRole('article', { name: 'Facebook' }).getByText('Acme Berlin').waitFor()
  expect(errors).toEqual([])
  await page.close()
})

test('SOC-47 account is paused and resumed on its own page by keyboard, which also says what else is paused', async () => {
  const { page, errors } = await ada.open('/workspace/accounts', { width: 360 })
  await main(page).getByRole('link', { name: 'Acme Berlin' }).click()
  const pause = main(page).getByRole('button', { name: 'Pause', exact: true })
  await pause.focus()
  await page.keyboard.press('Enter')
  await main(page).getByText('This account is paused').waitFor()
  expect(await page.locator(':focus').textContent()).toBe('Resume')
  expect(await axe(page)).toEqual([])
  await page.keyboard.press('Enter')
  await main(page).getByText('This account is paused').waitFor({ state: 'detached' })
  expect(await page.locator(':focus').textContent()).toBe('Pause')
  await ada.fetchJson('POST /api/publishing/pause', {})
  await page.reload()
  await main(page).getByText('Publishing is paused for all brands').waitFor()
  expect(await axe(page)).toEqual([])
  await main(page).getByRole('link', { name: 'View accounts' }).click()
  await main(page).getByRole('button', { name: 'Resume' }).click()
  await main(page).getByText('Publishing is paused for all brands').waitFor({ state: 'detached' })
  expect(errors).toEqual([])
  await page.close()
})

test('SOC-47 PLT-42 palette pauses and resumes everything, a brand and an account from any page', async () => {
  const { page, errors } = await ada.open('/workspace/posts')
  const command = async (words: string, option: string) => {
    await page.keyboard.press('Control+k')
    await page.keyboard.type(words)
    const palette = page.getByRole('dialog', { name: 'Search and commands' })
    await palette.getByRole('option', { name: option, selected: true }).waitFor()
    await page.keyboard.press('Enter')
  }
  await command('stop all', 'Pause all publishing')
  await page.waitForURL('**/workspace/accounts')
  const everything = main(page).getByText('Publishing is paused for all brands')
  await everything.waitFor()
  await command('resume all', 'Resume all publishing')
  await everything.waitFor({ state: 'detached' })
  await command('pause acme coffee', 'Pause publishing of Acme Coffee')
  await main(page).getByText('Publishing is paused for Acme Coffee').waitFor()
  await command('resume coffee', 'Resume publishing of Acme Coffee')
  await main(page).getByText('Publishing is paused for Acme Coffee').waitFor({ state: 'detached' })
  await command('pause berlin', 'Pause Acme Berlin')
  await main(page).getByRole('article', { name: 'Facebook' }).getByText('Paused').waitFor()
  await command('resume berlin', 'Resume Acme Berlin')
  await main(page).getByRole('article', { name: 'Facebook' }).getByText('Paused').waitFor({ state: 'detached' })
  expect(errors).toEqual([])
  await page.close()
})

test('SOC-06 Group in the stored data of an account is chosen in the composer, and gets the post', async () => {
  const group = facebook.directory.group('Acme Friends')
  await administer(
    stage.database.url,
    (sql) => sql`
      UPDATE social.connections SET metadata = metadata || jsonb_build_object('groups',
        jsonb_build_array(jsonb_build_object('id', ${group.id}::text, 'name', ${group.name}::text)))
      WHERE brand_id = ${ada.brandId} AND provider = 'facebook'`,
  )
  const { page, errors } = await ada.open(`/workspace/posts/new?brandId=${ada.brandId}`, { width: 360 })
  await page.getByLabel('Text', { exact: true }).fill('Hello, friends')
  await page.getByRole('checkbox', { name: 'Facebook: Acme Friends' }).press('Space')
  await main(page).getByText('expect Facebook to refuse posts').waitFor()
  expect(await axe(page)).toEqual([])
  await page.locator('#saved-state', { hasText: /^Saved \d\d:\d\d$/ }).waitFor()
  await page.reload()
  expect(await page.getByRole('checkbox', { name: 'Facebook: Acme Friends' }).isChecked()).toBe(true)
  await page.getByRole('radio', { name: 'Now' }).press('Space')
  await page.getByRole('button', { name: 'Publish now' }).click()
  await status(page, 'Published').waitFor()
  expect(facebook.posts(group)).toMatchObject([{ message: 'Hello, friends' }])
  expect(errors).toEqual([])
  await page.close()
})

test('SOC-14 composer says what networks don’t accept of later posts of a thread', async () => {
  await administer(
    stage.database.url,
    (sql) => sql`
      INSERT INTO social.connections (id, brand_id, provider, external_id, owner_id, name, created_at)
      SELECT gen_random_uuid(), brand_id, added.provider, 'member', owner_id, 'Ada Lovelace', now()
      FROM social.connections, (VALUES ('linkedin'), ('instagram')) AS added (provider)
      WHERE brand_id = ${ada.brandId} AND connections.provider = 'sandbox'`,
  )
  const { page, errors } = await ada.open(`/workspace/posts/new?brandId=${ada.brandId}`)
  const chip = (name: RegExp) => page.getByRole('checkbox', { name })
  await chip(/^LinkedIn/).press('Space')
  await page.getByLabel('Text', { exact: true }).fill('First')
  await page.getByRole('button', { name: 'Add to thread' }).click()
  const counts = page.getByRole('group', { name: 'Characters per network' })
  await page.getByLabel('Post 2 of 2').fill('a'.repeat(1_300))
  await counts.getByText('1300 / 1,250, 50 over').waitFor()
  await page.getByLabel('Post 2 of 2').fill('Second')
  await counts.getByText('6 / 1,250').waitFor()
  const notice = page.locator('#thread-limits')
  expect(await notice.textContent()).toBe('')
  await chip(/^Instagram/).press('Space')
  expect(await notice.textContent()).toBe('Instagram has no threads. Publish these as posts of their own.')
  expect(await axe(page)).toEqual([])
  await chip(/^Instagram/).press('Space')
  const red = sharp({ create: { width: 64, height: 64, channels: 3, background: 'red' } }).png()
  await page
    .getByLabel('Add files')
    .last()
    .setInputFiles({ name: 'red.png', mimeType: 'image/png', buffer: await red.toBuffer() })
  await page.getByLabel('Post of red.png').selectOption({ label: 'In post 2' })
  await page.getByText('LinkedIn takes files only in the first post of a thread.').waitFor()
  await page.getByLabel('Post of red.png').selectOption({ label: 'In post 1' })
  await page.getByText('LinkedIn takes files only in the first post of a thread.').waitFor({ state: 'detached' })
  expect(errors).toEqual([])
  await page.close()
})
