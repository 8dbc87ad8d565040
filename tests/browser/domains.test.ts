import { afterAll, beforeAll, expect, test } from 'bun:test'
import { axe } from '../support/browser.ts'
import { main, openTestSite, createPublisher, type TestSite } from './test-site.ts'

let stage: TestSite
beforeAll(async () => {
  // Nothing listens at this port.
  stage = await openTestSite({ DNS_RESOLVER: '127.0.0.1:1' })
})
afterAll(() => stage.close())

test('IDN-49 owner adds an email domain, reads the DNS record to add and why it isn’t verified, and removes it', async () => {
  const ada = await createPublisher(stage)
  const { page, errors } = await ada.open('/settings/sign-in')
  await main(page).getByText('What your provider needs').click()
  const none = main(page).getByRole('listitem').filter({ hasText: 'No domains yet' })
  expect(await none.locator('use').getAttribute('href')).toEndWith('#globe')
  await main(page).getByRole('button', { name: 'Add domain' }).click()
  await page.getByLabel('Domain', { exact: true }).fill('acme.example')
  await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click()
  const record = page.getByText('_atrium-challenge.acme.example').first()
  await record.waitFor()
  await page.getByRole('button', { name: 'Verify acme.example' }).click()
  await page.getByText('The name servers of acme.example didn’t respond').waitFor()
  expect(await axe(page)).toEqual([])
  page.on('dialog', (dialog) => void dialog.accept())
  await page.getByRole('button', { name: 'Remove acme.example' }).click()
  await record.waitFor({ state: 'detached' })
  // Nothing of this loaded the page again.
  await main(page).getByText('Sign-in page for members').waitFor()
  await main(page)
    .getByText(/^http\S+\/login\/organization\?slug=/)
    .first()
    .waitFor()
  expect(errors).toEqual([])
})
