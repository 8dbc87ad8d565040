import { afterAll, beforeAll, expect, test } from 'bun:test'
import { axe, openPage } from '../support/browser.ts'
import { administer } from '../support/database.ts'
import { createFirstBrand, newPerson, register } from './person.ts'
import { openTestSite, type TestSite } from './test-site.ts'

let stage: TestSite

beforeAll(async () => {
  stage = await openTestSite()
})
afterAll(() => stage.close())

test('SOC-06 SOC-14 composer has the fields of a video while a channel is chosen, and keeps them in the draft', async () => {
  const { page, errors } = await openPage(stage.browser, { url: `${stage.server.url}/register`, width: 360 })
  await register(page, newPerson())
  await createFirstBrand(page, 'Acme Coffee')
  await administer(
    stage.database.url,
    (sql) => sql`
      INSERT INTO social.connections (id, brand_id, provider, owner_id, external_id, name, metadata)
      SELECT gen_random_uuid(), b.id, place.provider, gen_random_uuid(), place.provider, '@acme', '{}'
      FROM social.brands b, (VALUES ('youtube'), ('bluesky')) AS place (provider)`,
  )
  await page.goto(`${stage.server.url}/workspace/posts/new`)
  const fields = page.getByRole('group', { name: 'YouTube video' })
  const choose = (name: string) => page.locator('label.chip', { hasText: `${name}: @acme` }).click()
  await choose('Bluesky')
  expect(await fields.isHidden()).toBe(true)
  await choose('Bluesky')
  await choose('YouTube')
  await fields.waitFor()
  await page.getByLabel('Text', { exact: true }).fill('Roasted on Monday.')
  await page.getByLabel('Video title').fill('x'.repeat(101))
  await fields.getByText('Title: 1 character over 100.').waitFor()
  await page.getByLabel('Video title').fill('x'.repeat(102))
  await fields.getByText('Title: 2 characters over 100.').waitFor()
  await page.getByLabel('Video title').fill('Autumn <blend>')
  await fields.getByText('YouTube doesn’t accept < and >.').waitFor()
  await page.getByLabel('Video title').fill('Autumn blend')
  await fields.getByText('Title 12 / 100, tags 0 / 500').waitFor()
  await page.getByLabel('Visibility').selectOption('Unlisted')
  await page.getByLabel('Video tags').fill('coffee, slow bar')
  expect(await axe(page)).toEqual([])

  await page.getByText('Saved', { exact: false }).first().waitFor()
  await page.reload()
  await fields.waitFor()
  expect(await page.getByLabel('Video title').inputValue()).toBe('Autumn blend')
  expect(await page.getByLabel('Visibility').inputValue()).toBe('unlisted')

  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.waitForURL(/\/workspace\/posts\/[0-9a-f-]{36}/)
  const saved = await administer(stage.database.url, (sql) => sql`SELECT youtube FROM social.posts`)
  expect([...saved]).toEqual([
    { youtube: { title: 'Autumn blend', privacy: 'unlisted', tags: ['coffee', 'slow bar'], madeForKids: false } },
  ])
  expect(errors).toEqual([])
})

test('SOC-10 first comment on YouTube is counted in characters, and refused below the field for a private video', async () => {
  const url = `${stage.server.url}/register`
  const { page, errors } = await openPage(stage.browser, { url, width: 360, scheme: 'dark', expected: [422] })
  await register(page, newPerson())
  await createFirstBrand(page, 'Acme Comments')
  await administer(
    stage.database.url,
    (sql) => sql`
      INSERT INTO social.connections (id, brand_id, provider, owner_id, external_id, name, metadata, scopes)
      SELECT gen_random_uuid(), b.id, 'youtube', gen_random_uuid(), 'UC1', '@acme', '{}',
        ARRAY['https://www.googleapis.com/auth/youtube.force-ssl']
      FROM social.brands b WHERE b.name = 'Acme Comments'`,
  )
  await page.goto(`${stage.server.url}/workspace/posts/new`)
  const chip = page.locator('label.chip', { hasText: 'YouTube: @acme' })
  if (!(await chip.locator('input').isChecked())) await chip.click()
  await page.getByLabel('Text', { exact: true }).fill('Roasted on Monday.')
  const comment = page.getByLabel('First comment', { exact: true })
  await comment.fill('é'.repeat(5_001))
  await page.getByText('5001 / 10,000').waitFor()
  await comment.fill('#coffee')
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.getByText('YouTube takes no comments on private videos.').waitFor()
  expect(await axe(page)).toEqual([])
  await page.getByLabel('Visibility').selectOption('Unlisted')
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.waitForURL(/\/workspace\/posts\/[0-9a-f-]{36}/)
  const saved = await administer(
    stage.database.url,
    (sql) => sql`SELECT first_comment FROM social.posts WHERE first_comment IS NOT NULL`,
  )
  expect([...saved]).toEqual([{ first_comment: '#coffee' }])
  expect(errors).toEqual([])
})
