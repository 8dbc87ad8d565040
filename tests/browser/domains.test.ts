import { afterAll, beforeAll, expect, test } from 'bun:test'
import { axe } from '../support/browser.ts'
import { main, openTestSite, createPublisher, type TestSite } from './test-site.ts'

let stage: TestSite
beforeAll(async () => {
  // Nothing listens at this port.
  stage = await openTestSite({ DNS_RESOLVER: '127.0.0.1:1' })
})
afterAll(() => stage.close())

test('IDN-49 owner adds an email domain, reads the record to set and why it isn’t verified, and removes it', async () => {
  const ada = await createPublisher(stage)
  const { page, errors } = await ada.open('/settings/organization')
  const name = main(page).getByLabel('Name', { exact: true })
  await name.fill('Not saved yet')
  await page.getByLabel('Domain', { exact: true }).fill('acme.example')
  await page.getByRole('button', { name: 'Add domain' }).click()
  const record = page.getByText('_atrium-challenge.acme.example').first()
  await record.waitFor()
  await page.getByRole('button', { name: 'Verify acme.example' }).click()
  await page.getByText('The name servers of acme.example didn’t respond').waitFor()
  expect(await axe(page)).toEqual([])
  page.on('dialog', (dialog) => void dialog.accept())
  await page.getByRole('button', { name: 'Remove acme.example' }).click()
  await record.waitFor({ state: 'detached' })
  // Nothing of this loaded the page again.
  expect(await name.inputValue()).toBe('Not saved yet')
  expect(errors).toEqual([])
})
