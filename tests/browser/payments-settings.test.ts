import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openDatabase } from '#lib/db.ts'
import { flawsOf } from './payments-site.ts'
import { createPublisher, main, openTestSite, type Publisher, type TestSite } from './test-site.ts'

let stage: TestSite
let ada: Publisher

beforeAll(async () => {
  stage = await openTestSite()
  ada = await createPublisher(stage, { connected: false })
})
afterAll(() => stage.close())

/** As if another member had raised it. */
async function raiseAsAnother(): Promise<void> {
  const { sql, close } = openDatabase(stage.database.url, 1)
  await sql`
    UPDATE payments.settings SET raised = jsonb_set(raised, '{0,by}', to_jsonb(${Bun.randomUUIDv7()}::text))
    WHERE organization_id = ${ada.organizationId}`
  await close()
}

test('PAY-34 ceilings are set, changed and removed on the settings page by keyboard, and another person confirms', async () => {
  const { page, errors } = await ada.open('/pay/settings', { expected: [422] })
  const refunds = main(page).getByRole('region', { name: 'Refunds' })
  await refunds.getByText('No ceiling').waitFor()
  expect(await flawsOf(page)).toEqual({})

  await refunds.getByRole('button', { name: 'Set ceiling of refunds' }).focus()
  await page.keyboard.press('Enter')
  const created = page.getByRole('dialog', { name: 'Ceiling of refunds' })
  expect(await created.getByLabel('Amount').evaluate((field) => field === document.activeElement)).toBe(true)
  await page.keyboard.type('12.345')
  await page.keyboard.press('Enter')
  await created.getByText(/decimal places/).waitFor()
  expect(await created.getByLabel('Amount').getAttribute('aria-invalid')).toBe('true')
  expect(await flawsOf(page)).toEqual({})
  await created.getByLabel('Amount').fill('500')
  await page.keyboard.press('Enter')
  await refunds.getByText('Above €500.00').waitFor()
  expect(await flawsOf(page)).toEqual({})

  await refunds.getByRole('button', { name: 'Edit ceiling of refunds in EUR' }).click()
  const edited = page.getByRole('dialog', { name: 'Ceiling of refunds in EUR' })
  await edited.getByLabel('Amount').fill('800')
  await edited.getByRole('button', { name: 'Save' }).click()
  await refunds.getByText('Above €800.00').waitFor()
  await main(page).getByText('Refunds in EUR: €500.00 → €800.00, by Ada Lovelace').waitFor()
  await main(page).getByText('No one else can confirm it').waitFor()
  await refunds.getByRole('button', { name: 'Remove ceiling of refunds in EUR' }).click()
  await page
    .getByRole('dialog', { name: /^Remove the ceiling/ })
    .getByRole('button', { name: 'Remove' })
    .click()
  await refunds.getByText('No ceiling').waitFor()
  expect(await flawsOf(page)).toEqual({})

  await raiseAsAnother()
  await page.reload()
  await main(page).getByText('Refunds in EUR: removed, was €500.00, by a former member').waitFor()
  await main(page).getByRole('button', { name: 'Confirm' }).click()
  await main(page)
    .getByText(/confirmed$/)
    .first()
    .waitFor({ state: 'detached' })
  expect(errors).toEqual([])
})

test('PAY-34 settings page is found in the palette', async () => {
  const { page, errors } = await ada.open('/pay/orders')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('second person approval')
  await page.getByRole('option', { name: 'Payment settings' }).click()
  await page.waitForURL('**/pay/settings')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Settings', exact: true }).waitFor()
  expect(errors).toEqual([])
})
