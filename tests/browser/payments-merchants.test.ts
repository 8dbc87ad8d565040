import { afterAll, beforeAll, expect, test } from 'bun:test'
import { flawsOf, sellerOn } from './payments-site.ts'
import { createPublisher, main, openTestSite, type Publisher, type TestSite } from './test-site.ts'

let stage: TestSite
let ada: Publisher

beforeAll(async () => {
  stage = await openTestSite()
  ada = await createPublisher(stage, { connected: false })
})
afterAll(() => stage.close())

test('PAY-30 first merchant is created by keyboard from the empty page, with errors next to its fields, and edited', async () => {
  const { page, errors } = await ada.open('/pay/merchants', { expected: [422] })
  await main(page).getByRole('heading', { name: 'No merchants yet' }).waitFor()
  expect(await flawsOf(page)).toEqual({})
  await main(page).getByRole('button', { name: 'New merchant' }).last().focus()
  await page.keyboard.press('Enter')
  const created = page.getByRole('dialog', { name: 'New merchant' })
  await page.keyboard.type('Café Ostkreuz')
  await created.getByLabel('Country').fill('DE')
  for (const [label, wrong, right] of [
    ['Default currency', 'EUX', 'EUR'],
    ['Tax number', 'DE12', 'DE811569869'],
  ] as const) {
    const field = created.getByLabel(label)
    await field.fill(wrong)
    await page.keyboard.press('Enter')
    await field.and(created.locator('[aria-invalid=true]')).waitFor()
    const [error = ''] = /\S+-error/.exec((await field.getAttribute('aria-describedby')) ?? '') ?? []
    expect(await created.locator(`#${error}`).innerText()).toStartWith('Must be')
    await field.fill(right)
  }
  expect(await flawsOf(page)).toEqual({})
  await page.keyboard.press('Enter')
  const card = main(page).getByRole('region', { name: 'Café Ostkreuz' })
  await card.getByText('DE811569869').waitFor()
  await card.getByText('Default', { exact: true }).waitFor()
  expect(await flawsOf(page)).toEqual({})

  await card.getByRole('button', { name: 'Edit Café Ostkreuz' }).click()
  const edited = page.getByRole('dialog', { name: 'Edit merchant' })
  await edited.getByLabel('Legal name').fill('Café Ostkreuz GmbH')
  expect(await flawsOf(page)).toEqual({})
  await edited.getByRole('button', { name: 'Save' }).click()
  await card.getByText('Café Ostkreuz GmbH').waitFor()
  expect(errors).toEqual([])
})

test('PAY-30 second merchant becomes the default, and the first one is archived and restored', async () => {
  await ada.fetchJson('POST /api/merchants', { name: 'Rösterei Nord', invoicePrefix: 'NORD' })
  const { page, errors } = await ada.open('/pay/merchants')
  const card = (name: string) => main(page).getByRole('region', { name, exact: true })
  const choose = async (name: string, item: string) => {
    await card(name)
      .getByRole('button', { name: `Actions for ${name}` })
      .click()
    await page.getByRole('button', { name: item, exact: true }).click()
  }
  await choose('Rösterei Nord', 'Make default')
  await card('Rösterei Nord').getByText('Default', { exact: true }).waitFor()
  await card('Café Ostkreuz').getByText('Default', { exact: true }).waitFor({ state: 'detached' })
  page.once('dialog', (dialog) => void dialog.accept())
  await choose('Café Ostkreuz', 'Archive')
  await card('Café Ostkreuz').waitFor({ state: 'detached' })
  await main(page).getByRole('link', { name: 'Archived' }).click()
  await card('Café Ostkreuz').getByText('Archived').first().waitFor()
  expect(await flawsOf(page)).toEqual({})
  await choose('Café Ostkreuz', 'Restore')
  await main(page).getByRole('link', { name: 'Active' }).click()
  await card('Café Ostkreuz').waitFor()
  expect(errors).toEqual([])
})

test('PAY-30 venue is created, leads to its orders, and is archived', async () => {
  const { page, errors } = await ada.open('/pay/merchants', { expected: [422] })
  await main(page).getByRole('button', { name: 'New venue' }).click()
  const created = page.getByRole('dialog', { name: 'New venue' })
  await created.getByLabel('Merchant').selectOption({ label: 'Rösterei Nord' })
  await created.getByLabel('Name').fill('Kiosk am Bahnhof mit einem sehr langen Namen')
  await created.getByLabel('Country').fill('XX')
  await created.getByRole('button', { name: 'Create venue' }).click()
  await created.getByLabel('Country').and(created.locator('[aria-invalid=true]')).waitFor()
  expect(await flawsOf(page)).toEqual({})
  await created.getByLabel('Country').fill('DE')
  await created.getByRole('button', { name: 'Create venue' }).click()
  const row = main(page).getByRole('row', { name: /Kiosk am Bahnhof/ })
  await row.getByText('Active').waitFor()
  expect(await flawsOf(page)).toEqual({})

  const { items } = await ada.fetchJson<{ items: { id: string }[] }>('GET /api/venues?limit=1')
  const { id } = await sellerOn(stage, ada).createOrder('Espresso', 250)
  await row.getByRole('link').click()
  await page.waitForURL(`**/pay/orders?venueId=${items[0]?.id}`)
  expect(await main(page).locator(`#order-${id}`).count()).toBe(0)
  await page.goBack()
  page.once('dialog', (dialog) => void dialog.accept())
  await row.getByRole('button', { name: /^Actions for Kiosk/ }).click()
  await page.getByRole('button', { name: 'Archive', exact: true }).click()
  await row.getByText('Archived').waitFor()
  expect(errors).toEqual([])
})
