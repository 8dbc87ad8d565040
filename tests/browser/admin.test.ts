import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Locator } from 'playwright-core'
import { createSuperAdminLink } from '#identity'
import { openDatabase } from '#lib/db.ts'
import { axe, openPage } from '../support/browser.ts'
import { openPlace } from './person.ts'
import { openAs, main, openTestSite, createPublisher, type TestSite } from './test-site.ts'

let stage: TestSite

beforeAll(async () => {
  stage = await openTestSite()
})

afterAll(() => stage.close())

async function linkFor(email: string): Promise<string> {
  const database = openDatabase(stage.database.url, 1)
  const path = await createSuperAdminLink(database.db, email, new Date())
  await database.close()
  return stage.server.url + path
}

test.each([
  [1440, 'light'],
  [360, 'dark'],
] as const)(
  'PLT-38 super admin signs up through the link, suspends an organization and restores it, at %d px in %s',
  async (width, scheme) => {
    const owner = await createPublisher(stage)
    const email = `root-${width}@example.com`
    const { page, errors } = await openPage(stage.browser, { url: await linkFor(email), width, scheme })
    expect(await axe(page)).toEqual([])
    await page.getByLabel('Your name').fill('Root')
    await page.getByLabel('Password', { exact: true }).fill('correct horse battery')
    await page.getByRole('button', { name: 'Become a super admin' }).click()

    await main(page).getByRole('heading', { name: 'Organizations' }).waitFor()
    expect(await axe(page)).toEqual([])
    await main(page).getByLabel('Name or slug').fill(owner.person.workspace)
    await main(page).getByRole('row').nth(2).waitFor({ state: 'detached' })
    // The list was replaced in place: the field keeps the focus, and the URL has the filter.
    await main(page).getByLabel('Name or slug').and(page.locator(':focus')).waitFor()
    expect(page.url()).toEndWith(`/admin/organizations?${new URLSearchParams({ q: owner.person.workspace })}`)
    await main(page).getByRole('link', { name: owner.person.workspace }).click()
    await main(page).getByRole('button', { name: 'Suspend' }).click()
    const dialog = page.getByRole('dialog', { name: /^Suspend/ })
    await dialog.getByLabel('Reason').and(page.locator(':focus')).waitFor()
    await dialog.getByLabel('Reason').fill('Spam to thousands.')
    await dialog.getByRole('button', { name: 'Suspend' }).click()
    await main(page).getByText('Suspended', { exact: true }).waitFor()
    expect(await axe(page)).toEqual([])

    const visited = await openAs(stage, owner.person, '/workspace/posts', { width, scheme, expected: [403] })
    await visited.page.getByText('is suspended: Spam to thousands.').waitFor()
    expect(await axe(visited.page)).toEqual([])
    await visited.page.getByRole('link', { name: 'Go to settings' }).click()
    await visited.page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()

    await main(page).getByRole('button', { name: 'Lift suspension' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Lift suspension' }).click()
    await main(page).getByText('Active', { exact: true }).waitFor()
    await visited.page.goto(`${stage.server.url}/workspace/posts`)
    await visited.page.getByRole('heading', { level: 1, name: 'Posts' }).waitFor()

    await openPlace(page, 'Jobs')
    await main(page).getByRole('heading', { name: 'Failed jobs', exact: true }).waitFor()
    expect(await axe(page)).toEqual([])
    if (width === 360) {
      await failJob(`connect ECONNREFUSED ${'averylongword'.repeat(20)}`)
      await page.reload()
      await main(page).getByText('averylongword').click()
      expect(await axe(page)).toEqual([])
      const retry = main(page).getByRole('button', { name: 'Retry', exact: true })
      const [text, button] = await Promise.all([edgesOf(main(page).getByText('averylongword')), edgesOf(retry)])
      expect(text.width).toBeGreaterThan(200)
      expect(button.top).toBeGreaterThanOrEqual(text.bottom)
      await retry.click()
      await main(page).getByText('No failed jobs').waitFor()
    }
    if (width === 1440) {
      await failJob('Seen without a reload')
      await main(page).getByText('Seen without a reload').waitFor()
      // Another admin discards it while this one is asked.
      await failJob('Gone meanwhile')
      await main(page).getByText('Gone meanwhile').click()
      await main(page).locator('li', { hasText: 'Gone meanwhile' }).getByRole('button', { name: 'Discard' }).click()
      await discardJob('Gone meanwhile')
      await page
        .getByText('This was changed or deleted in the meantime. Your changes weren’t saved. Reload the page.')
        .waitFor()
      await main(page).getByText('Seen without a reload').click()
      await main(page).getByRole('button', { name: 'Discard' }).press('Enter')
      await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click()
      // The row is gone, so the heading of the list has the focus.
      await main(page).getByRole('heading', { name: 'Failed jobs', exact: true }).and(page.locator(':focus')).waitFor()
    }
    expect([...errors, ...visited.errors]).toEqual([])
  },
  120_000,
)

test('PLT-38 super admin finds a person, ends their sessions and resets their second factor, with reasons', async () => {
  const owner = await createPublisher(stage)
  const visited = await owner.open('/settings/security')
  await visited.page.getByText('Authenticator app', { exact: true }).waitFor()
  await useTotp(owner.person.email)
  const { page, errors } = await openPage(stage.browser, { url: await linkFor('support@example.com') })
  await page.getByLabel('Your name').fill('Support')
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery')
  await page.getByRole('button', { name: 'Become a super admin' }).click()
  await main(page).getByRole('heading', { name: 'Organizations' }).waitFor()

  await openPlace(page, 'People')
  await main(page).getByRole('heading', { name: 'People' }).waitFor()
  expect(await axe(page)).toEqual([])
  await main(page).getByLabel('Email, name or ID').fill(owner.person.email.slice(0, -5).toUpperCase())
  await main(page).getByLabel('Email, name or ID').press('Enter')
  await main(page).getByRole('row').filter({ hasText: owner.person.email }).getByRole('link').first().click()
  await main(page).getByRole('heading', { name: owner.person.name }).waitFor()
  expect(await axe(page)).toEqual([])

  const urls: string[] = []
  page.on('request', (request) => urls.push(request.url()))
  await main(page).getByRole('button', { name: 'Reset' }).click()
  const reset = page.getByRole('dialog', { name: /^Reset/ })
  await reset.getByLabel('Reason').fill('Lost phone.')
  expect(await axe(page)).toEqual([])
  await reset.getByRole('button', { name: 'Reset' }).click()
  await main(page).getByText('No authenticator app and no passkey.').waitFor()
  await main(page).getByRole('button', { name: 'Sign out everywhere' }).first().click()
  const end = page.getByRole('dialog', { name: /out everywhere\?$/ })
  await end.getByLabel('Reason').fill('Stolen laptop.')
  await end.getByRole('button', { name: 'Sign out everywhere' }).click()
  await main(page).getByText('Not signed in anywhere.').waitFor()
  expect(urls.filter((url) => url.includes('reason'))).toEqual([])

  await visited.page.reload()
  await visited.page.getByRole('heading', { name: 'Sign in to Atrium' }).waitFor()
  expect([...errors, ...visited.errors]).toEqual([])
})

/** Edges of the element's box in CSS pixels. */
const edgesOf = (shown: Locator) =>
  shown.evaluate((element) => {
    const { width, top, bottom } = element.getBoundingClientRect()
    return { width, top, bottom }
  })

/** Inserts a job that failed after its last retry. */
async function failJob(message: string): Promise<void> {
  const database = openDatabase(stage.database.url, 1)
  await database.sql`
    INSERT INTO pgboss.job (name, output, source_name, source_id, source_created_on, source_retry_count)
    VALUES ('platform.send-mail.dead', jsonb_build_object('message', ${message}::text), 'platform.send-mail', gen_random_uuid(), now(), 2)`
  await database.close()
}

/** Discards it, as another admin would. */
async function discardJob(message: string): Promise<void> {
  const database = openDatabase(stage.database.url, 1)
  await database.sql`DELETE FROM pgboss.job WHERE output->>'message' = ${message}`
  await database.close()
}

/** Gives the person an authenticator app without usable codes. */
async function useTotp(email: string): Promise<void> {
  const database = openDatabase(stage.database.url, 1)
  await database.sql`
    INSERT INTO identity.totp_authenticators (id, user_id, sealed_secret, last_step, created_at, confirmed_at)
    SELECT gen_random_uuid(), id, '', 0, now(), now() FROM identity.users WHERE email = ${email}`
  await database.close()
}
