import { afterAll, beforeAll, expect, onTestFinished, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { openDatabase } from '#lib/db.ts'
import { digest, newId } from '#lib/ids.ts'
import { axe, openPage } from '../support/browser.ts'
import { serveInProcess } from '../support/serve-in-process.ts'
import { openTestSite, type TestSite } from './test-site.ts'
import { createFirstBrand, dashboardOf, newPerson, register } from './person.ts'

let stage: TestSite

beforeAll(async () => {
  stage = await openTestSite()
})
afterAll(() => stage.close())

const main = (page: Page) => page.getByRole('main')

async function settledOwner(width: number) {
  const opened = await openPage(stage.browser, { url: `${stage.server.url}/register`, width, expected: [409] })
  await register(opened.page, newPerson())
  await createFirstBrand(opened.page, 'Acme Coffee')
  await opened.page.goto(`${stage.server.url}/settings/members`)
  return opened
}

async function invite(page: Page, email: string, role: string) {
  await main(page).getByRole('button', { name: 'Invite' }).click()
  const dialog = page.getByRole('dialog', { name: 'Invite a person' })
  await dialog.getByLabel('Email').fill(email)
  await dialog.getByLabel('Role').selectOption(role)
  await dialog.getByRole('button', { name: 'Send invitation' }).click()
}

/** Inserts an API key of the member. */
async function addKey(email: string, name: string): Promise<void> {
  const { sql, close } = openDatabase(stage.database.url, 1)
  const id = newId()
  await sql`
    INSERT INTO identity.api_keys
      (id, organization_id, service_id, name, mode, public_id, hash, last_four, created_by, created_at)
    SELECT ${id}, m.organization_id, s.id, ${name}, 'live', ${id.slice(-12)}, ${digest(id)}, 'abcd', u.id, now()
    FROM identity.users u JOIN identity.memberships m ON m.user_id = u.id, identity.services s
    WHERE u.email = ${email} AND s.slug = 'platform-socialize'`
  await close()
}

test.each([1440, 360])(
  'IDN-10 PLT-40 owner invites a person, who receives the email, signs up and sees the organization, at %d px',
  async (width) => {
    const email = newPerson().email.replace('ada', 'grace')
    const owner = await settledOwner(width)
    await invite(owner.page, email, 'editor')
    await owner.page.getByText(`Invitation sent to ${email}`).waitFor()
    expect(await axe(owner.page)).toEqual([])
    await invite(owner.page, email, 'viewer')
    await owner.page.getByText('is already invited').waitFor()

    const guest = await openPage(stage.browser, { url: `${stage.server.url}/dev/mailbox`, width })
    expect(await axe(guest.page)).toEqual([])
    await main(guest.page).getByRole('listitem').filter({ hasText: email }).getByRole('link').click()
    await main(guest.page)
      .getByRole('heading', { name: /^Invitation to join/ })
      .waitFor()
    await guest.page.frameLocator('iframe').getByRole('link', { name: 'View invitation' }).waitFor()
    await main(guest.page)
      .getByRole('link', { name: /\/invitations\// })
      .click()
    await guest.page.getByRole('heading', { name: /^Join Acme/ }).waitFor()
    expect(await axe(guest.page)).toEqual([])
    await guest.page.getByLabel('Your name').fill('Grace Hopper')
    await guest.page.getByLabel('Password', { exact: true }).fill('correct horse battery')
    await guest.page.getByRole('button', { name: 'Create account and join' }).click()
    await dashboardOf(guest.page).waitFor()
    await guest.page.goto(`${stage.server.url}/workspace/posts`)
    expect(await guest.page.getByText('Acme Coffee').count()).toBeGreaterThan(0)
    expect(guest.errors).toEqual([])

    await addKey(email, 'Nightly export')
    await owner.page.reload()
    await main(owner.page)
      .getByRole('row', { name: /^Grace Hopper/ })
      .waitFor()
    expect(await main(owner.page).getByText('Invited').count()).toBe(0)
    if (width > 768) {
      await owner.page.setViewportSize({ width: 768, height: 900 })
      await main(owner.page)
        .getByRole('row', { name: /^Grace/ })
        .getByText('None')
        .waitFor()
      await main(owner.page).getByRole('link', { name: 'Grace Hopper' }).click()
      await main(owner.page).getByRole('searchbox', { name: 'Search permissions' }).fill('transfer')
      await main(owner.page).getByText('View connected social accounts').waitFor({ state: 'hidden' })
      await main(owner.page).getByText('Create, edit and transfer brands').waitFor()
      expect(await axe(owner.page)).toEqual([])
      await main(owner.page).getByRole('link', { name: 'Members' }).click()
    }
    await main(owner.page).getByRole('button', { name: 'More about Grace Hopper' }).click()
    await owner.page.getByRole('button', { name: 'Viewer', exact: true }).click()
    await owner.page.getByText('Grace Hopper is now a viewer').waitFor()
    await main(owner.page).getByRole('button', { name: 'More about Grace Hopper' }).click()
    await owner.page.getByRole('button', { name: 'Remove' }).click()
    const asking = owner.page.getByRole('dialog', { name: 'Remove Grace Hopper?' })
    await asking.getByRole('list', { name: 'API keys that stop working' }).getByText('Nightly export').waitFor()
    expect(await axe(owner.page)).toEqual([])
    await owner.page.keyboard.press('Escape')
    const menu = main(owner.page).getByRole('button', { name: 'More about Grace Hopper' })
    await menu.and(owner.page.locator(':focus')).waitFor()
    await menu.click()
    await owner.page.getByRole('button', { name: 'Remove' }).click()
    await asking.getByRole('button', { name: 'Remove' }).click()
    await owner.page.getByText('Member removed').waitFor()
    expect(await main(owner.page).getByText('Grace Hopper').count()).toBe(0)
    await guest.page.reload()
    await guest.page.getByRole('heading', { name: 'You don’t have access' }).waitFor()
    expect(owner.errors).toEqual([])
  },
)

test('IDN-10 invitation link offers sign-out to a person with another address, and an invalid one is explained', async () => {
  const email = newPerson().email
  const owner = await settledOwner(1440)
  await invite(owner.page, email, 'viewer')
  await owner.page.getByText(`Invitation sent to ${email}`).waitFor()
  const mailbox = await openPage(stage.browser, { url: `${stage.server.url}/dev/mailbox`, expected: [404] })
  await main(mailbox.page).getByRole('listitem').filter({ hasText: email }).getByRole('link').click()
  const link = await main(mailbox.page)
    .getByRole('link', { name: /\/invitations\// })
    .innerText()
  await owner.page.goto(link)
  await owner.page.getByText('You’re signed in as').waitFor()
  await owner.page.getByRole('button', { name: 'Sign out' }).click()
  await owner.page.getByRole('button', { name: 'Create account and join' }).waitFor()
  expect(owner.page.url()).toBe(link)
  await mailbox.page.goto(`${link}x`)
  await mailbox.page.getByRole('heading', { name: 'This invitation is no longer valid' }).waitFor()
  expect(await axe(mailbox.page)).toEqual([])
  expect([...owner.errors, ...mailbox.errors]).toEqual([])
})

test('IDN-48 sign-up with confirmation is completed by the emailed link', async () => {
  const verifying = await serveInProcess({ databaseUrl: stage.database.url, env: { REGISTRATION_VERIFY: 'true' } })
  onTestFinished(() => verifying.stop())
  const { page, errors } = await openPage(stage.browser, { url: `${verifying.url}/register`, width: 360 })
  const person = newPerson()
  await register(page, person)
  await page.getByRole('heading', { name: 'Check your email' }).waitFor()
  expect(await axe(page)).toEqual([])
  await page.getByRole('button', { name: 'Send again' }).click()
  await page.getByText('Email sent. Check your spam folder, too').waitFor()
  await page.getByRole('link', { name: 'mailbox' }).click()
  await main(page).getByRole('listitem').filter({ hasText: person.email }).getByRole('link').first().click()
  await main(page)
    .getByRole('link', { name: /\/register\/confirm\// })
    .click()
  await page.getByRole('heading', { name: 'Finish signing up' }).waitFor()
  expect(await axe(page)).toEqual([])
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('link', { name: 'Create your first brand' }).waitFor()
  expect(errors).toEqual([])
})
