import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { axe } from '../support/browser.ts'
import { main, openTestSite, createPublisher, type Publisher, type TestSite } from './test-site.ts'

let stage: TestSite
let ada: Publisher
beforeAll(async () => {
  stage = await openTestSite()
  ada = await createPublisher(stage)
})
afterAll(() => stage.close())

const write = (text: string, more: Record<string, unknown> = {}) =>
  ada.fetchJson<{ id: string }>('POST /api/posts', { brandId: ada.brandId, provider: 'sandbox', text, ...more })
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

const press = (page: Page, ...keys: string[]) =>
  keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve())
const row = (page: Page, text: string) => main(page).locator('tr', { hasText: text })
const focused = (page: Page, name: string) => page.locator(':focus', { hasText: name }).waitFor()

test('PLT-40 person plans posts, and selects, reschedules, publishes and deletes them, using only the keyboard', async () => {
  await write('Older draft')
  await write('Newer draft')
  const { page, errors } = await ada.open(`/workspace/posts?brandId=${ada.brandId}`)
  const ready = () => page.getByLabel('Select all posts').waitFor()
  await ready()
  await press(page, 'c')
  await page.waitForURL(/posts\/new/)
  await page.getByLabel('Text', { exact: true }).focus()
  await page.keyboard.type('Written by keyboard')
  await page.getByRole('button', { name: 'Schedule', exact: true }).press('Enter')
  await page.locator('.page-header .status', { hasText: 'Scheduled' }).waitFor()
  await page.goto(`${stage.server.url}/workspace/posts?brandId=${ada.brandId}`)

  await ready()
  await press(page, '?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  expect(await axe(page)).toEqual([])
  await press(page, 'j', 'Escape')
  // Keys are text while the person types.
  await page.getByLabel('Search posts').focus()
  await page.keyboard.type('jx')
  expect(await page.getByLabel('Search posts').inputValue()).toBe('jx')
  await page.getByLabel('Search posts').fill('')
  await page.getByText('Written by keyboard').waitFor()
  await main(page).getByRole('heading', { name: 'Posts' }).click()

  await press(page, 'j')
  await focused(page, 'Written by keyboard')
  await press(page, 'j', 'x', 'j', 'x')
  await page.getByRole('toolbar', { name: 'Selected posts' }).getByText('2 selected').waitFor()
  // A refresh of the list keeps the selection and the focus.
  await write('Written elsewhere')
  await row(page, 'Written elsewhere').waitFor()
  await page.getByText('2 selected').waitFor()
  await focused(page, 'Older draft')
  await press(page, 'a')
  await focused(page, 'Reschedule')
  await press(page, 'Enter')
  await page.getByRole('dialog', { name: 'Reschedule' }).waitFor()
  await press(page, 'Enter')
  await page.getByText('2 posts rescheduled').waitFor()
  await row(page, 'Older draft').getByText('Scheduled', { exact: true }).waitFor()
  await row(page, 'Newer draft').getByText('Scheduled', { exact: true }).waitFor()
  await page.getByRole('toolbar', { name: 'Selected posts' }).waitFor({ state: 'hidden' })

  await row(page, 'Older draft').locator('.row-link').focus()
  await press(page, 'x', 'a', 'Tab', 'Tab', 'Tab')
  await focused(page, 'Delete')
  await press(page, 'Enter')
  await page.getByText('1 post deleted').waitFor()
  await row(page, 'Older draft').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).press('Enter')
  await row(page, 'Older draft').waitFor()

  await row(page, 'Older draft').locator('.row-link').focus()
  await press(page, 'x', 'a', 'Tab', 'Enter')
  const question = page.getByRole('dialog', { name: 'Publish the selected posts now?' })
  await question.waitFor()
  await question.getByRole('button', { name: 'Publish now' }).press('Enter')
  await row(page, 'Older draft').getByText('Published', { exact: true }).waitFor()

  await row(page, 'Newer draft').locator('.row-link').focus()
  await press(page, 'e')
  await page.waitForURL(/\/edit/)
  expect(errors).toEqual([])
})

/** Where the table of posts doesn't fill its columns, or their content overlaps. */
const faultsOfTable = (page: Page) =>
  page.evaluate(() => {
    const faults: string[] = []
    const table = document.querySelector('#posts')
    if (!table) return ['no table']
    const right = table.getBoundingClientRect().right
    for (const line of table.querySelectorAll('tr')) {
      const cells = [...line.children].filter((cell) => cell.getBoundingClientRect().width > 0)
      const text = line.textContent.slice(0, 20)
      // The head of narrow lists is only for screen readers.
      if ((line.parentElement?.getBoundingClientRect().width ?? 0) < 2) continue
      const ends = Math.max(...cells.map((cell) => cell.getBoundingClientRect().right))
      if (getComputedStyle(line).display === 'table-row' && Math.abs(ends - right) > 1)
        faults.push(`${text} ends early`)
      const content = cells.flatMap((cell) => {
        const range = document.createRange()
        range.selectNodeContents(cell)
        const { left, right: end, top, bottom, width } = range.getBoundingClientRect()
        const clip = cell.getBoundingClientRect()
        return width > 0 ? [{ left, right: Math.min(end, clip.right), top, bottom: Math.min(bottom, clip.bottom) }] : []
      })
      for (const [at, one] of content.entries())
        for (const other of content.slice(at + 1))
          if (
            one.right > other.left + 1 &&
            other.right > one.left + 1 &&
            one.bottom > other.top + 1 &&
            other.bottom > one.top + 1
          )
            faults.push(`${text} overlaps ${JSON.stringify([one, other])}`)
    }
    const title = table.querySelector('td[data-at="title"]')?.getBoundingClientRect().width ?? 0
    if (title < Math.min(240, innerWidth * 0.45)) faults.push(`posts have ${title} px`)
    return faults
  })

test('PLT-40 columns of the posts neither overlap nor leave a gap, from 320 to 1920 px', async () => {
  const other = await createPublisher(stage)
  const text =
    'Neue Öffnungszeiten im Advent: samstags bis 20 Uhr, sonntags ab 9 Uhr, Wochenmarkt inklusive. https://example.com/a/very/long/link'
  const body = { brandId: other.brandId, provider: 'sandbox', text, tags: ['Weihnachtsmarkt', 'Advent'] }
  await other.fetchJson('POST /api/posts', body)
  await other.fetchJson('POST /api/posts', { ...body, status: 'scheduled', scheduledAt: inDays(2) })
  const { page, errors } = await other.open(`/workspace/posts?brandId=${other.brandId}`)
  const found: string[] = []
  for (const width of [320, 360, 480, 640, 703, 704, 768, 895, 960, 1024, 1100, 1190, 1280, 1440, 1920]) {
    await page.setViewportSize({ width, height: 800 })
    for (const fault of await faultsOfTable(page)) found.push(`${width}: ${fault}`)
  }
  expect(found).toEqual([])
  expect(errors).toEqual([])
})

test('SOC-11 page of a scheduled post shows when it will be published, and can reschedule and unschedule it next to the title', async () => {
  const { id } = await write('Planned', { status: 'scheduled', scheduledAt: inDays(2) })
  const { page, errors } = await ada.open(`/workspace/posts/${id}`)
  const notice = main(page).locator('.notice')
  await notice.getByText('Goes out in 2 days.').waitFor()
  expect(await axe(page)).toEqual([])
  await notice.getByRole('button', { name: 'Reschedule' }).click()
  const dialog = page.getByRole('dialog', { name: 'Reschedule' })
  await dialog.getByLabel('Date').fill(inDays(9).slice(0, 10))
  await dialog.getByRole('button', { name: 'Schedule' }).click()
  await notice.getByText(/Goes out in (8|9|10) days\./).waitFor()
  await notice.getByRole('button', { name: 'Unschedule' }).click()
  await notice.getByText('Draft, not scheduled').waitFor()
  expect(errors).toEqual([])
})
