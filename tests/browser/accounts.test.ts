import { afterAll, beforeAll, expect, test } from 'bun:test'
import { startLinkedIn, type LinkedInCounterpart } from '../counterparts/linkedin/index.ts'
import { axe } from '../support/browser.ts'
import { createPublisher, main, openTestSite, type Publisher, type TestSite } from './test-site.ts'

let linkedin: LinkedInCounterpart
let stage: TestSite
let ada: Publisher

beforeAll(async () => {
  linkedin = startLinkedIn({ isPartner: true })
  const { www, api } = linkedin.urls
  stage = await openTestSite({ NETWORK_ORIGINS: `www.linkedin.com=${www},api.linkedin.com=${api}` })
  ada = await createPublisher(stage)
})
afterAll(async () => {
  await stage.close()
  await linkedin.stop()
})

test('SOC-47 brand and organization are paused and resumed by keyboard, and the focus stays', async () => {
  const { page, errors } = await ada.open('/workspace/accounts', { width: 360, scheme: 'dark' })
  for (const [button, notice] of [
    ['Pause this brand', 'Publishing is paused for Acme Coffee'],
    ['Pause all publishing', 'Publishing is paused for all brands'],
  ] as const) {
    await main(page).getByRole('button', { name: button }).focus()
    await page.keyboard.press('Enter')
    await main(page).getByText(notice).waitFor()
    expect(await axe(page)).toEqual([])
    expect(await page.locator(':focus').textContent()).toBe('Resume')
    await page.keyboard.press('Enter')
    await main(page).getByText(notice).waitFor({ state: 'detached' })
    expect(await page.locator(':focus').textContent()).toBe(button)
  }
  expect(errors).toEqual([])
  await page.close()
})

test('SOC-05 Pages are chosen after consent, and an empty choice is refused below the list', async () => {
  const app = linkedin.apps.page
  app.redirectUris.push(`${stage.server.url}/workspace/accounts/callback/linkedin-page`)
  await ada.fetchJson('PUT /api/credentials/linkedin-page', {
    level: 'organization',
    label: 'Main',
    secret: { clientId: app.clientId, clientSecret: app.clientSecret },
  })
  const member = linkedin.directory.member('Ada')
  linkedin.directory.assign(member, linkedin.directory.organization('Acme Insights'), 'ANALYST')
  for (const name of ['Acme Coffee GmbH', 'Acme Roasters']) linkedin.directory.organization(name, member)
  const { page, errors } = await ada.open('/workspace/accounts', { expected: [422] })
  const card = main(page).getByRole('article', { name: 'LinkedIn Page' })
  await card.getByRole('button', { name: 'Connect' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('link', { name: 'Allow' }).click()
  await main(page).getByRole('heading', { name: 'Choose where Acme Coffee can publish' }).waitFor()
  expect(await main(page).getByRole('checkbox', { name: 'Acme Insights' }).isDisabled()).toBe(true)
  const roasters = main(page).getByRole('checkbox', { name: 'Acme Roasters' })
  await main(page).getByRole('checkbox', { name: 'Acme Coffee GmbH' }).uncheck()
  await roasters.uncheck()
  await main(page).getByRole('button', { name: 'Connect' }).click()
  const refusal = main(page).getByText('Choose at least one account.')
  await refusal.waitFor()
  expect(await axe(page)).toEqual([])
  await roasters.check()
  await main(page).getByRole('button', { name: 'Connect' }).click()
  await card.getByText('Acme Roasters').waitFor()
  expect(await card.getByText('Acme Coffee GmbH').count()).toBe(0)
  expect(errors).toEqual([])
  await page.close()
})

test('SOC-46 limits and history of an account are on its page, which loads older events by keyboard', async () => {
  const { items } = await ada.fetchJson<{ items: { id: string; provider: string }[] }>('GET /api/accounts')
  const connectionId = items.find(({ provider }) => provider === 'sandbox')?.id ?? ''
  for (let calls = 0; calls < 5; calls++)
    for (const action of ['pause', 'resume']) await ada.fetchJson(`POST /api/publishing/${action}`, { connectionId })
  const { page, errors } = await ada.open(`/workspace/accounts/${connectionId}`, { width: 360, scheme: 'dark' })
  const limits = main(page).getByRole('region', { name: 'Limits' })
  await limits.getByText('Posts in 24 hours').waitFor()
  await limits.getByText('doesn’t publish how many posts it takes').waitFor()
  const history = main(page).getByRole('region', { name: 'History' })
  expect(await history.getByText('Resumed by').count()).toBe(5)
  expect(await history.getByText('Connected by').count()).toBe(0)
  expect(await axe(page)).toEqual([])
  await history.getByRole('link', { name: 'Load more' }).focus()
  await page.keyboard.press('Enter')
  await history.getByText('Connected by').waitFor()
  expect(await history.getByText('Resumed by').count()).toBe(5)
  expect(await axe(page)).toEqual([])
  expect(errors).toEqual([])
  await page.close()
})
