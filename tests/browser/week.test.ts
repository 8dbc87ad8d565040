import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Locator, Page } from 'playwright-core'
import type { PostList } from '#social/types'
import { eventually } from '../boot/program.ts'
import { createPublisher, main, openTestSite, type TestSite } from './test-site.ts'

let stage: TestSite
beforeAll(async () => {
  stage = await openTestSite()
})
afterAll(() => stage.close())

const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
const saved = (page: Page) => page.locator('#saved-state', { hasText: /^Saved \d\d:\d\d$/ })

test('PLT-40 SOC-12 a week of posts is planned and published using only the keyboard, through a reload, a lost connection and stray keys', async () => {
  const ada = await createPublisher(stage)
  const { page } = await ada.open('/workspace/posts')
  page.on('dialog', (dialog) => void dialog.accept())
  const press = (...keys: string[]) =>
    keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve())

  const faults: Record<string, () => Promise<unknown>> = {
    Tuesday: async () => {
      await saved(page).waitFor()
      await page.reload()
      await page.getByText('Discard').waitFor()
    },
    Wednesday: async () => {
      await page.route('**/api/unsaved-posts/*', (route) => route.abort('connectionrefused'))
      await tabTo(page, page.getByLabel('Tags', { exact: true }))
      await page.keyboard.type('offline')
      await page.getByText('This browser keeps your text').waitFor()
      await page.unroute('**/api/unsaved-posts/*')
    },
    Thursday: async () => {
      await tabTo(page, page.getByLabel('Tags', { exact: true }))
      await press('Enter')
    },
  }

  for (const [at, day] of days.entries()) {
    await tabTo(page, page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'New post' }))
    await press('Enter')
    await page.locator('textarea:focus').waitFor()
    await page.keyboard.type(`Post of ${day}`)
    await faults[day]?.()
    await tabTo(page, page.getByLabel('Date', { exact: true }))
    // Monday is 3 August. The order of day and month is the browser's.
    const date = `2099-08-${String(3 + at).padStart(2, '0')}`
    for (const digits of [`08${date.slice(8)}2099`, `${date.slice(8)}082099`]) {
      if ((await page.getByLabel('Date', { exact: true }).inputValue()) === date) break
      await tabTo(page, page.getByLabel('Date', { exact: true }))
      await page.keyboard.type(digits)
      await press('Shift+Tab')
    }
    await press('Control+Enter')
    await page.waitForURL(({ pathname }) => /^\/workspace\/posts\/[\w-]{36}$/.test(pathname))
  }
  const planned = await ada.fetchJson<PostList>('GET /api/posts?status=scheduled&order=soonest')
  const dayOf = (at: string | null) => at && new Date(at).toLocaleDateString('sv', { timeZone: 'Europe/Berlin' })
  expect(planned.items.map(({ text, scheduledAt }) => `${dayOf(scheduledAt)} ${text}`)).toEqual(
    days.map((day, at) => `2099-08-${String(3 + at).padStart(2, '0')} Post of ${day}`),
  )

  await tabTo(page, page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Posts', exact: true }))
  await press('Enter')
  await tabTo(page, page.getByLabel('Select all posts'))
  await press('Space', 'a')
  const toolbar = page.getByRole('toolbar', { name: 'Selected posts' })
  await tabTo(page, toolbar.getByRole('button', { name: 'Publish now' }))
  await press('Enter')
  await tabTo(page, page.getByRole('dialog').getByRole('button', { name: 'Publish now' }))
  await press('Enter')
  const published = async () => (await ada.fetchJson<PostList>('GET /api/posts?status=published')).items.length
  expect(await eventually(async () => (await published()) === 7)).toBe(true)
  await main(page).getByText('Post of Sunday').waitFor()
})

/** Presses Tab until the element has the focus. */
async function tabTo(page: Page, element: Locator): Promise<void> {
  await element.waitFor()
  for (let stops = 0; stops < 60; stops += 1) {
    if (await element.evaluate((each) => each === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Sixty stops of the Tab key don't lead to ${String(element)}`)
}
