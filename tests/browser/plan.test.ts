import { afterAll, beforeAll, expect, test } from 'bun:test'
import { axe } from '../support/browser.ts'
import { main, openTestSite, createPublisher, type TestSite } from './test-site.ts'

let stage: TestSite
beforeAll(async () => {
  stage = await openTestSite()
})
afterAll(() => stage.close())

test('IDN-44 owner sees the seats, removes an app and installs it again', async () => {
  const ada = await createPublisher(stage)
  const { page, errors } = await ada.open('/settings/organization', { width: 360 })
  await main(page).getByText('1 used').waitFor()
  expect(await axe(page)).toEqual([])
  await page.goto(`${stage.server.url}/settings/apps`)
  const apps = main(page).getByRole('list', { name: 'Installed apps' })
  const social = apps.getByRole('listitem').filter({ hasText: 'Social' })
  expect(await axe(page)).toEqual([])
  await social.getByRole('button', { name: 'Remove Social' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
  const offered = main(page).getByRole('list', { name: 'Available apps' })
  await offered.getByRole('button', { name: 'Install Social' }).click()
  await social.waitFor()
  expect(errors).toEqual([])
})
