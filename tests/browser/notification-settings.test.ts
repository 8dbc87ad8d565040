import { afterAll, beforeAll, expect, test } from 'bun:test'
import { flawsOf } from './payments-site.ts'
import { createPublisher, main, openTestSite, type Publisher, type TestSite } from './test-site.ts'

let stage: TestSite
let ada: Publisher

beforeAll(async () => {
  stage = await openTestSite()
  ada = await createPublisher(stage, { connected: false })
})
afterAll(() => stage.close())

test('DSH-37 notification settings are changed by keyboard, saved at once, and fit narrow screens', async () => {
  const { page, errors } = await ada.open('/settings/notifications')
  expect(await flawsOf(page)).toEqual({})
  const saved = () => page.waitForResponse((response) => response.request().method() === 'PUT')
  const box = main(page).getByRole('checkbox', { name: 'Email: Post failed' })
  await box.focus()
  await Promise.all([saved(), page.keyboard.press('Space')])
  const quiet = main(page).getByRole('switch', { name: 'Quiet hours' })
  await quiet.focus()
  await Promise.all([saved(), page.keyboard.press('Space')])
  await main(page).getByLabel('Until').waitFor()
  await Promise.all([saved(), main(page).getByText('Wed', { exact: true }).click()])
  await page.reload()
  expect(await box.isChecked()).toBe(false)
  expect(await quiet.isChecked()).toBe(true)
  expect(await main(page).getByRole('checkbox', { name: 'Wed', exact: true }).isChecked()).toBe(false)
  await main(page).getByRole('button', { name: 'Connect' }).click()
  const dialog = page.getByRole('dialog', { name: 'Connect chat' })
  await dialog.getByLabel('Webhook URL').fill('ftp://chat.example/hook')
  await dialog.getByRole('button', { name: 'Connect' }).click()
  await dialog.getByText('Must start with').or(dialog.getByText('http')).first().waitFor()
  await dialog.getByLabel('Webhook URL').fill('https://hooks.chat.example/services/1')
  await dialog.getByRole('button', { name: 'Connect' }).click()
  await main(page).getByText('hooks.chat.example/…es/1').waitFor()
  expect(await flawsOf(page)).toEqual({})
  expect(errors.filter((error) => !error.includes('422'))).toEqual([])
})
