import { afterAll, beforeAll, expect, test } from 'bun:test'
import { axe, openPage } from '../support/browser.ts'
import { administer } from '../support/database.ts'
import { connectFromComposer, createFirstBrand, newPerson, register } from './person.ts'
import { openTestSite, type TestSite } from './test-site.ts'

let stage: TestSite

beforeAll(async () => {
  stage = await openTestSite()
})
afterAll(() => stage.close())

test('SOC-10 first comment is written in the composer, counted, kept, and shown on the page of the published post', async () => {
  const { page, errors } = await openPage(stage.browser, { url: `${stage.server.url}/register`, width: 360 })
  await register(page, newPerson())
  await createFirstBrand(page, 'Acme Coffee')
  await page.goto(`${stage.server.url}/workspace/posts/new`)
  await connectFromComposer(page, 'Sandbox', { Handle: 'acme' })
  await page.getByLabel('Text', { exact: true }).fill('Roasted on Monday.')
  const comment = page.getByLabel('First comment', { exact: true })
  const counts = page.getByRole('group', { name: 'Characters of the first comment' })
  await comment.fill('x'.repeat(501))
  await counts.getByText('501 / 500, 1 over').waitFor()
  await comment.fill('#berlincoffee #slowbar')
  await counts.getByText('22 / 500').waitFor()
  expect(await axe(page)).toEqual([])
  await page.getByText('Saved', { exact: false }).first().waitFor()
  await page.reload()
  await page.getByText('22 / 500').waitFor()
  expect(await comment.inputValue()).toBe('#berlincoffee #slowbar')

  await page.getByRole('radio', { name: 'Now' }).press('Space')
  await page.getByRole('button', { name: 'Publish now' }).click()
  const section = page.getByRole('region', { name: 'First comment' })
  await section.getByText('#berlincoffee #slowbar').waitFor()
  await section.locator('.status', { hasText: 'Published' }).waitFor()
  expect(await axe(page)).toEqual([])

  await administer(
    stage.database.url,
    (sql) => sql`
      UPDATE social.first_comments SET state = 'failed', failure_code = 'provider_refused', failure_retryable = true,
        failure_message = 'Sandbox responded with 422.'`,
  )
  await page.reload()
  await section.getByText('Sandbox responded with 422.').waitFor()
  expect(await axe(page)).toEqual([])
  await section.getByRole('button', { name: 'Retry' }).click()
  await section.locator('.status', { hasText: 'Published' }).waitFor()
  const [row] = await administer(stage.database.url, (sql) => sql`SELECT attempts FROM social.first_comments`)
  // The network had it already.
  expect(row).toEqual({ attempts: 2 })
  const received = await administer(
    stage.database.url,
    (sql) => sql`SELECT text FROM social.sandbox_receipts ORDER BY text`,
  )
  expect([...received]).toEqual([{ text: '#berlincoffee #slowbar' }, { text: 'Roasted on Monday.' }])
  expect(errors).toEqual([])
})

test('SOC-10 composer says which chosen account takes no first comment, and links to its page, where it is reconnected', async () => {
  const { page, errors } = await openPage(stage.browser, { url: `${stage.server.url}/register`, scheme: 'dark' })
  await register(page, newPerson())
  await createFirstBrand(page, 'Acme Tea')
  await administer(
    stage.database.url,
    (sql) => sql`
      INSERT INTO social.connections (id, brand_id, provider, owner_id, external_id, name, metadata)
      SELECT gen_random_uuid(), b.id, place.provider, gen_random_uuid(), place.provider, 'Acme Page', '{"pageId":"1"}'
      FROM social.brands b, (VALUES ('facebook'), ('linkedin')) AS place (provider) WHERE b.name = 'Acme Tea'`,
  )
  await page.goto(`${stage.server.url}/workspace/posts/new`)
  const comment = page.getByLabel('First comment', { exact: true })
  const choose = (name: string) => page.locator('label.chip', { hasText: `${name}: Acme Page` }).click()
  await choose('Facebook')
  await page.getByText('No first comment on Acme Page').waitFor()
  expect(await comment.isHidden()).toBe(true)
  await choose('LinkedIn')
  await comment.fill('#tea')
  await page.getByText('4 / 1,250').waitFor()
  expect(await axe(page)).toEqual([])
  await page.getByRole('link', { name: 'Reconnect with first comments' }).click()
  await page.getByRole('button', { name: 'Reconnect with first comments' }).click()
  const dialog = page.getByRole('dialog', { name: 'Connect Facebook' })
  expect(await dialog.getByRole('checkbox', { name: 'Let Atrium write first comments' }).isChecked()).toBe(true)
  expect(await axe(page)).toEqual([])
  expect(errors).toEqual([])
})
