import { afterAll, beforeAll, expect, test } from 'bun:test'
import { axe } from '../support/browser.ts'
import { main, openTestSite, createPublisher, type TestSite } from './test-site.ts'

let stage: TestSite
beforeAll(async () => {
  stage = await openTestSite()
})
afterAll(() => stage.close())

test('IDN-44 owner sees the seats of the plan', async () => {
  const ada = await createPublisher(stage)
  const { page, errors } = await ada.open('/settings/organization', { width: 360 })
  await main(page).getByText('1 used').waitFor()
  expect(await axe(page)).toEqual([])
  expect(errors).toEqual([])
})
