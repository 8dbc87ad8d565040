import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import type { PostList, SlotList } from '#social/types'
import { openDatabase } from '#lib/db.ts'
import { axe, openPage } from '../support/browser.ts'
import { main, openTestSite, createPublisher, type Publisher, type TestSite } from './test-site.ts'

let stage: TestSite
beforeAll(async () => {
  stage = await openTestSite()
})
afterAll(() => stage.close())

/** Inserts the membership directly, since the test is about the brand. */
async function join(person: Publisher, host: Publisher): Promise<void> {
  const { sql, close } = openDatabase(stage.database.url, 1)
  await sql`INSERT INTO identity.memberships (organization_id, user_id, role, created_at)
    SELECT ${host.organizationId}, id, 'admin', now() FROM identity.users WHERE email = ${person.person.email}`
  await close()
}

/** Opens the menu of brands, in the drawer on a narrow screen. */
async function openBrandMenu(page: Page, width: number): Promise<void> {
  if (width < 1000) await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('button', { name: /^Brand:/ }).click()
}

test.each([1440, 360])(
  'PLT-40 PLT-41 SOC-02 brand can be found, changed and, after confirmation, transferred, at %d px',
  async (width) => {
    const [ada, host] = [await createPublisher(stage), await createPublisher(stage, { brand: 'Verlag' })]
    await join(ada, host)
    const { page, errors } = await ada.open('/workspace/posts', { width })
    await openBrandMenu(page, width)
    await page.getByRole('link', { name: 'All brands' }).click()
    await page.getByRole('heading', { level: 1, name: 'Brands' }).waitFor()
    expect(await axe(page)).toEqual([])
    await main(page).getByRole('link', { name: 'Acme Coffee' }).click()

    await main(page).getByLabel('Name', { exact: true }).waitFor()
    expect(await axe(page)).toEqual([])
    await main(page).getByLabel('Name', { exact: true }).fill('Acme Roasters')
    await main(page).getByLabel('Slug').fill('Not a slug')
    await main(page).locator('#brand-settings').getByRole('button', { name: 'Save' }).click()
    expect(
      await main(page)
        .getByLabel('Slug')
        .evaluate((field: HTMLInputElement) => field.validity.valid),
    ).toBe(false)
    await main(page).getByLabel('Slug').fill('roasters')
    const zone = main(page).getByRole('combobox', { name: 'Time zone' })
    await zone.fill('japan')
    expect(await axe(page)).toEqual([])
    await zone.press('Enter')
    expect(await zone.inputValue()).toBe('Tokyo (GMT+9)')
    await zone.press('ArrowDown')
    await zone.press('ArrowUp')
    await zone.press('Escape')
    await main(page).locator('#brand-settings').getByRole('button', { name: 'Save' }).click()
    await main(page).getByRole('link', { name: 'Acme Roasters' }).waitFor()
    await page.getByText('Saved', { exact: true }).waitFor()
    await main(page).locator('#brand-settings').getByText('Unsaved changes').waitFor({ state: 'hidden' })
    expect(await zone.inputValue()).toBe('Tokyo (GMT+9)')
    expect(await main(page).locator('[name=timeZone]').inputValue()).toBe('Asia/Tokyo')

    await main(page).getByRole('button', { name: 'Transfer brand' }).click()
    const dialog = page.getByRole('dialog', { name: 'Transfer this brand?' })
    await dialog.getByText('1 account and 0 posts move with it').waitFor()
    expect(await axe(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await main(page).getByRole('button', { name: 'Transfer brand' }).click()
    await dialog.getByLabel('New organization').selectOption({ label: host.person.workspace })
    await dialog.getByRole('button', { name: 'Transfer brand' }).click()
    await page.getByText(`Acme Roasters now belongs to ${host.person.workspace}`).waitFor()
    await page.getByRole('heading', { level: 1, name: 'Create your first brand' }).waitFor()
    const brand = await host.fetchJson<{ name: string; slug: string }>(`GET /api/brands/${ada.brandId}`)
    expect(brand).toMatchObject({ name: 'Acme Roasters', slug: 'roasters' })
    expect(errors).toEqual([])
  },
)

test('PLT-42 first response of a brand page already shows the brand in the navigation', async () => {
  const ada = await createPublisher(stage)
  const second = await ada.fetchJson<{ id: string }>('POST /api/brands', { name: 'Zebra', timeZone: 'UTC' })
  const body = { brandId: second.id, provider: 'sandbox', text: 'Stripes' }
  const post = await ada.fetchJson<{ id: string }>('POST /api/posts', body)
  const { page } = await ada.open(`/workspace/posts/${post.id}`)
  expect(await page.getByRole('button', { name: 'Brand: Zebra' }).isVisible()).toBe(true)
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Accounts' }).click()
  await page.getByRole('button', { name: 'Brand: Zebra' }).waitFor()
})

test.each([1440, 360])(
  'SOC-01 brand’s logo is uploaded, shown and removed in its settings, at %d px',
  async (width) => {
    const ada = await createPublisher(stage)
    const { page, errors } = await ada.open(`/workspace/brands/${ada.brandId}`, { width, expected: [422] })
    const dialog = page.getByRole('dialog')
    const choose = async (buffer: Buffer) => {
      await dialog.getByLabel('Image').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer })
      await dialog.getByRole('button', { name: 'Upload', exact: true }).click()
    }
    await main(page).getByRole('button', { name: 'Upload logo' }).click()
    await choose(Buffer.from('not an image'))
    await dialog.getByText('Unsupported file type. Upload a JPEG, PNG, WebP or GIF image.').waitFor()
    expect(await axe(page)).toEqual([])
    await choose(
      await sharp({ create: { width: 300, height: 300, channels: 3, background: '#0f766e' } })
        .png()
        .toBuffer(),
    )
    await page.getByText('Logo updated').waitFor()
    const src = await main(page).locator('#brand-logo img').getAttribute('src')
    expect(await page.locator(`[popovertarget=brand-menu] img[src="${src}"]`).count()).toBe(1)
    expect(await axe(page)).toEqual([])
    await main(page).getByRole('button', { name: 'Remove logo' }).press('Enter')
    await page.getByText('Logo removed').waitFor()
    await main(page).getByRole('button', { name: 'Upload logo' }).waitFor()
    expect(await page.locator(`img[src="${src}"]`).count()).toBe(0)
    expect(errors).toEqual([])
  },
)

test.each([1440, 360])(
  'SOC-16 slots are added and removed in the settings of a brand, and a post takes the next free one, at %d px',
  async (width) => {
    const ada = await createPublisher(stage)
    const { page, errors } = await ada.open(`/workspace/brands/${ada.brandId}`, { width })
    const slots = main(page).getByRole('region', { name: 'Queue slots' })
    await slots.getByText('No slots yet.').waitFor()
    for (const day of ['Monday', 'Tuesday', 'Wednesday']) await slots.getByLabel(day, { exact: true }).check()
    await slots.getByLabel('Time').fill('08:30')
    await slots.getByLabel('Time').press('Enter')
    const group = slots.getByRole('listitem').filter({ hasText: 'Monday to Wednesday' })
    await group.getByText('08:30').waitFor()
    await slots.getByLabel('Tuesday', { exact: true }).check()
    await slots.getByLabel('Time').fill('18:00')
    await slots.getByRole('button', { name: 'Add', exact: true }).click()
    await slots.getByRole('listitem').filter({ hasText: 'Tuesday' }).getByText('18:00').waitFor()
    expect(await axe(page)).toEqual([])
    await slots.getByRole('button', { name: 'Remove Tuesday 18:00' }).press('Enter')
    await group.waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)

    const { items, nextFree } = await ada.fetchJson<SlotList>(`GET /api/brands/${ada.brandId}/queue-slots`)
    expect(items.length).toBe(20)
    await page.goto(new URL(`/workspace/posts/new?brandId=${ada.brandId}`, page.url()).href)
    await main(page).getByRole('textbox', { name: 'Text' }).fill('In its slot')
    await main(page).getByText('Next free slot', { exact: true }).click()
    await main(page).getByText('unless another post takes it first').waitFor()
    expect(await axe(page)).toEqual([])
    await main(page).getByRole('button', { name: 'Schedule', exact: true }).click()
    await page.waitForURL(/\/workspace\/posts(\/[\da-f-]{36})?(\?|$)/)
    const { items: posts } = await ada.fetchJson<PostList>(`GET /api/posts?brandId=${ada.brandId}`)
    expect(posts.map(({ text, scheduledAt }) => [text, scheduledAt])).toEqual([['In its slot', nextFree]])
    expect(errors).toEqual([])
  },
)

test('SOC-16 slots are added and removed without scripts', async () => {
  const ada = await createPublisher(stage)
  const path = `/workspace/brands/${ada.brandId}`
  const opened = await ada.open(path)
  const storageState = await opened.page.context().storageState()
  const { page } = await openPage(stage.browser, {
    url: new URL(path, opened.page.url()).href,
    context: { javaScriptEnabled: false, storageState },
  })
  const slots = main(page).getByRole('region', { name: 'Queue slots' })
  await slots.getByLabel('Sunday', { exact: true }).check()
  await slots.getByLabel('Time').fill('10:00')
  await slots.getByRole('button', { name: 'Add', exact: true }).click()
  await slots.getByRole('button', { name: 'Remove Sunday 10:00' }).click()
  await slots.getByText('No slots yet.').waitFor()
})
