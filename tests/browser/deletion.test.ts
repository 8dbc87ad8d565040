import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openDatabase } from '#lib/db.ts'
import { axe } from '../support/browser.ts'
import { openAs, main, openTestSite, createPublisher, type TestSite } from './test-site.ts'
import { dashboardOf, newPerson, signIn } from './person.ts'

let stage: TestSite

beforeAll(async () => {
  stage = await openTestSite()
})

afterAll(() => stage.close())

test.each([
  [1440, 'light'],
  [360, 'dark'],
] as const)(
  'PLT-39 owner enters the name and password to delete the organization, then cancels the deletion, at %d px in %s',
  async (width, scheme) => {
    const owner = await createPublisher(stage)
    const { page, errors } = await owner.open('/settings/organization', { width, scheme, expected: [422, 403] })
    const addresses: string[] = []
    page.on('request', (request) => addresses.push(request.url()))
    await main(page).getByRole('button', { name: 'Delete organization' }).click()
    const dialog = page.getByRole('dialog', { name: `Delete ${owner.person.workspace}?` })
    expect(await axe(page)).toEqual([])
    await dialog.getByLabel('Organization name').fill('Something else')
    await dialog.getByLabel('Your password').fill(owner.person.password)
    await dialog.getByRole('button', { name: 'Delete organization' }).click()
    await dialog.getByText('Must be the organization’s name.').first().waitFor()
    await dialog.getByLabel('Organization name').fill(owner.person.workspace)
    await dialog.getByRole('button', { name: 'Delete organization' }).click()

    await main(page)
      .getByText(/^Will be deleted on/)
      .waitFor()
    expect(await axe(page)).toEqual([])
    await page.goto(`${stage.server.url}/workspace/posts`)
    await main(page)
      .getByText(/^Will be deleted on/)
      .waitFor()
    await page.goto(`${stage.server.url}/settings/export`)
    await main(page).getByRole('button', { name: 'Export account' }).click()
    // The live channel is refused in the meantime, but the page is refreshed without an out-of-date notice.
    await main(page)
      .getByRole('link', { name: /^Download Account/ })
      .waitFor()
    expect(await page.getByText('This page is out of date').count()).toBe(0)
    await page.goto(`${stage.server.url}/settings/organization/deletion`)
    await main(page).getByRole('button', { name: 'Cancel deletion' }).click()
    await dashboardOf(page).waitFor()
    expect(addresses.filter((address) => address.includes('horse'))).toEqual([])
    expect(errors).toEqual([])
  },
  120_000,
)

test('PLT-39 dialog that deletes an organization with a long name fits a narrow window', async () => {
  const owner = await createPublisher(stage)
  const { sql, close } = openDatabase(stage.database.url, 1)
  await sql`UPDATE identity.organizations SET name = ${'W'.repeat(100)} WHERE id = ${owner.organizationId}`
  await close()
  const { page } = await owner.open('/settings/organization', { width: 360 })
  await main(page).getByRole('button', { name: 'Delete organization' }).click()
  const dialog = page.getByRole('dialog', { name: /^Delete W+/ })

  for (const part of [dialog.locator('header'), dialog.locator('.body')])
    expect(await part.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0)
})

test('PLT-39 person deletes their account and, after signing in again, cancels the deletion on the only page offered', async () => {
  const person = newPerson()
  const answer = await fetch(`${stage.server.url}/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: person.email, password: person.password, name: person.name }),
  })
  expect(answer.status).toBe(201)
  const { page, errors } = await openAs(stage, person, '/settings/profile')
  await main(page).getByRole('button', { name: 'Delete account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' })
  expect(await axe(page)).toEqual([])
  await dialog.getByLabel('Email address').fill(person.email)
  await dialog.getByLabel('Your password').fill(person.password)
  await dialog.getByRole('button', { name: 'Delete account' }).click()
  await page.getByRole('heading', { name: /^Your account will be deleted on/ }).waitFor()
  expect(await axe(page)).toEqual([])

  await page.goto(`${stage.server.url}/settings/profile`)
  await signIn(page, person)
  await page.getByRole('heading', { name: /^Your account will be deleted on/ }).waitFor()
  await page.getByRole('button', { name: 'Cancel deletion' }).click()
  await signIn(page, person)
  await page.getByRole('button', { name: /^Account:/ }).waitFor()
  expect(errors).toEqual([])
})
