import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { startMastodon, type MastodonCounterpart } from '../counterparts/mastodon.ts'
import { openPage } from '../support/browser.ts'
import { flawsOf } from './payments-site.ts'
import { newPerson, register, signIn } from './person.ts'
import { main, openTestSite, type TestSite } from './test-site.ts'

let stage: TestSite
let mastodon: MastodonCounterpart
beforeAll(async () => {
  mastodon = startMastodon()
  stage = await openTestSite({ ONBOARDING: 'true' })
})
afterAll(async () => {
  await stage.close()
  await mastodon.stop()
})

test('DSH-04 SOC-01 new person takes all steps with the keyboard, and continues in another browser after a sign-out', async () => {
  const person = newPerson()
  const { page, errors } = await openPage(stage.browser, { url: `${stage.server.url}/register`, expected: [422] })
  await register(page, person)
  await page.waitForURL((url) => url.pathname !== '/register')
  await page.goto(`${stage.server.url}/dashboard`)
  await page.getByRole('heading', { name: 'Confirm your recovery email' }).waitFor()
  expect(await flawsOf(page)).toEqual({})
  await page.getByLabel('Personal email').fill(`home-${person.email}`)
  await page.getByLabel('Your password').fill('wrong')
  await page.keyboard.press('Enter')
  await page.locator('[aria-invalid=true]:focus').waitFor()
  await page.getByLabel('Your password').fill(person.password)
  await page.keyboard.press('Enter')
  await page.getByText('Open the link we sent').waitFor()
  // Interrupted, it is where it was.
  await page.goto(`${stage.server.url}/apps`)
  await page.getByText('Open the link we sent').waitFor()
  expect(await flawsOf(page)).toEqual({})

  const mailbox = await openPage(stage.browser, { url: `${stage.server.url}/dev/mailbox` })
  await main(mailbox.page)
    .getByRole('listitem')
    .filter({ hasText: `home-${person.email}` })
    .getByRole('link')
    .first()
    .click()
  const link = mailbox.page.getByRole('link', { name: /recovery-email/ }).first()
  await mailbox.page.goto((await link.getAttribute('href')) ?? '')
  await mailbox.page.getByRole('button', { name: 'Confirm' }).click()
  await mailbox.page.getByRole('heading', { name: 'Your recovery email is confirmed' }).waitFor()

  // The waiting page goes on by itself.
  await page.getByRole('heading', { name: 'Choose your apps' }).waitFor()
  expect(await flawsOf(page)).toEqual({})
  await page.reload()
  await page.getByRole('button', { name: 'Continue' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Invite your team' }).waitFor()
  await page.getByRole('button', { name: 'Sign out' }).focus()
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => url.pathname === '/login')

  const second = await openPage(stage.browser, { url: `${stage.server.url}/login`, expected: [409, 422] })
  await signIn(second.page, person)
  await second.page.getByRole('heading', { name: 'Invite your team' }).waitFor()
  expect(await flawsOf(second.page)).toEqual({})
  await second.page.getByRole('link', { name: 'Back' }).focus()
  await second.page.keyboard.press('Enter')
  await second.page.getByRole('heading', { name: 'Choose your apps' }).waitFor()
  await second.page.goBack()
  const add = second.page.getByRole('button', { name: 'Add another' })
  for (let row = 4; row <= 10; row += 1) {
    expect(await second.page.getByLabel(`Email of person ${row}`).isVisible()).toBe(false)
    await add.press('Enter')
    await second.page.locator(`#invite-${row - 1}:focus`).waitFor()
  }
  expect(await add.isVisible()).toBe(false)
  await second.page.getByLabel('Email of person 1', { exact: true }).fill(`paul-${person.email}`)
  await second.page.getByLabel('Email of person 2').fill(person.email)
  await second.page.keyboard.press('Enter')
  // A refusal keeps what was typed.
  await second.page.locator('#invite-1[aria-invalid=true]').waitFor()
  expect(await second.page.getByLabel('Email of person 1', { exact: true }).inputValue()).toBe(`paul-${person.email}`)
  await second.page.getByLabel('Email of person 2').fill('')
  await second.page.keyboard.press('Enter')
  await second.page.getByRole('heading', { name: 'Create your first brand' }).waitFor()
  expect(await flawsOf(second.page)).toEqual({})
  await second.page.getByLabel('Name', { exact: true }).fill('Acme Coffee')
  await second.page.keyboard.press('Enter')
  await second.page.getByRole('heading', { name: 'Your first brand is created' }).waitFor()
  expect(await flawsOf(second.page)).toEqual({})
  await equipFirstBrand(second.page)
  await second.page.getByRole('link', { name: 'Continue' }).focus()
  await second.page.keyboard.press('Enter')
  await second.page.getByRole('heading', { name: 'You’re ready' }).waitFor()
  expect(await flawsOf(second.page)).toEqual({})
  await second.page.keyboard.press('Enter')
  await second.page.waitForURL((url) => url.pathname !== '/onboarding' && url.pathname !== '/')
  await second.page.goto(`${stage.server.url}/dashboard`)
  await second.page.getByRole('heading', { name: 'Dashboard' }).first().waitFor({ state: 'attached' })
  expect(new URL(second.page.url()).pathname).toBe('/dashboard')
  expect([...errors, ...mailbox.errors, ...second.errors]).toEqual([])
})

/** A network's own page leads back to the step, without an account and with one (SOC-05). */
async function connectOnConsentPage(page: Page): Promise<void> {
  for (const answer of ['Deny', 'Authorize']) {
    const dialog = page.getByRole('dialog')
    await main(page).getByRole('button', { name: 'Connect Mastodon' }).press('Enter')
    await dialog.getByLabel('Instance').fill(mastodon.url)
    await dialog.getByRole('button', { name: 'Continue' }).press('Enter')
    await page.getByRole('link', { name: answer }).click()
    await page.getByRole('heading', { name: 'Your first brand is created' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/onboarding')
    const isDenied = await page.getByRole('alert').getByText('Access to Mastodon was denied').isVisible()
    expect(isDenied).toBe(answer === 'Deny')
    expect(await flawsOf(page)).toEqual({})
  }
  await main(page).getByText(`@ada@${mastodon.host}`, { exact: true }).waitFor()
}

/** Uploads its logo, and connects an account; the step shows both. */
async function equipFirstBrand(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog')
  const choose = async (buffer: Buffer) => {
    await dialog.getByLabel('Image').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer })
    await dialog.getByRole('button', { name: 'Upload', exact: true }).press('Enter')
  }
  await main(page).getByRole('button', { name: 'Upload logo' }).press('Enter')
  await choose(Buffer.from('not an image'))
  await dialog.getByText('Unsupported file type. Upload a JPEG, PNG, WebP or GIF image.').waitFor()
  expect(await flawsOf(page)).toEqual({})
  await choose(
    await sharp({ create: { width: 300, height: 300, channels: 3, background: '#0f766e' } })
      .png()
      .toBuffer(),
  )
  await main(page).getByRole('button', { name: 'Replace logo' }).waitFor()
  expect(await main(page).locator('#brand-logo img').count()).toBe(1)

  const connect = main(page).getByRole('button', { name: /^Connect .*sandbox/i })
  await connect.press('Enter')
  await dialog.getByLabel('Handle').waitFor()
  expect(await flawsOf(page)).toEqual({})
  await dialog.getByRole('button', { name: 'Connect', exact: true }).press('Enter')
  await main(page).getByText('Connected', { exact: true }).waitFor()
  expect(await connect.count()).toBe(0)
  await connectOnConsentPage(page)
  await main(page).getByRole('link', { name: 'All networks' }).waitFor()
  await page.setViewportSize({ width: 360, height: 740 })
  expect(await flawsOf(page)).toEqual({})
}
