import { afterAll, beforeAll, expect, test } from 'bun:test'
import { axe } from '../support/browser.ts'
import { main, openTestSite, createPublisher, type TestSite } from './test-site.ts'

let stage: TestSite
beforeAll(async () => {
  stage = await openTestSite()
})
afterAll(() => stage.close())

test('IDN-44 owner sees the plan, removes an app and installs it again', async () => {
  const ada = await createPublisher(stage)
  const { page, errors } = await ada.open('/settings/organization', { width: 360 })
  const apps = main(page).getByRole('list', { name: 'Installed apps' })
  const social = apps.getByRole('listitem').filter({ hasText: 'Social' })
  await main(page).getByText('Everything', { exact: true }).waitFor()
  await main(page).getByText('1, unlimited').waitFor()
  expect(await axe(page)).toEqual([])
  await social.getByRole('button', { name: 'Remove Social' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
  const offered = main(page).getByRole('list', { name: 'Available apps' })
  await offered.getByRole('button', { name: 'Install Social' }).click()
  await social.waitFor()
  expect(errors).toEqual([])
})
