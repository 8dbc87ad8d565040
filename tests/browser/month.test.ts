import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Locator, Page } from 'playwright-core'
import type { ListedPost, PostList } from '#social/types'
import { eventually } from '../boot/program.ts'
import { administer } from '../support/database.ts'
import { Effort } from './effort.ts'
import { createPublisher, main, openTestSite, type Publisher, type TestSite } from './test-site.ts'

// A month of three brands, each on three networks, planned from the calendar: 22 posts of a brand. What it takes a person is
// counted.

let stage: TestSite
beforeAll(async () => {
  stage = await openTestSite()
})
afterAll(() => stage.close())

/** Of the keystroke-level model. */
const maxMinutes = 15
const brandNames = ['Acme Coffee', 'Bakery', 'Café Noir']
const networks = ['Sandbox', 'X', 'Bluesky']
/** Of the next month, in which posts are planned by their day; that of the last one is moved to the next day. */
const days = [3, 10, 14, 17, 25]
/** On these, X has a text of its own. */
const daysWithOwnText = [10, 17]
const moved = 25
/** Submissions that take the next free slot. */
const inSlots = ['First', 'Second']
const postsOfBrand = (days.length + inSlots.length) * networks.length + 1

const month = Temporal.Now.plainDateISO('Europe/Berlin').with({ day: 1 }).add({ months: 1 })
const dayOf = (day: number): string => month.with({ day }).toString()
const label = (day: number) => new RegExp(`^New post on \\w+ ${day} `)
const textOf = (brand: string, day: number | string) => `${brand}, ${typeof day === 'number' ? `for the ${day}` : day}.`
const ownText = ' Only on X.'

const text = (page: Page) => page.getByLabel('Text', { exact: true })
const inDay = (page: Page, day: number) => main(page).locator(`#day-${dayOf(day)}`)
const planned = (page: Page, brand: string, day: number, on = day) =>
  inDay(page, on)
    .locator('.event', { hasText: textOf(brand, day) })
    .first()
const account = (page: Page, network: string) =>
  page.locator('label.chip', { hasText: new RegExp(`^\\S*${network}: `) })
const newPost = (page: Page) => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'New post' })
const schedule = (page: Page) => page.getByRole('button', { name: /^Schedule( \d+ posts)?$/ })
const leftComposer = (page: Page) => page.waitForURL(({ pathname }) => !/\/(new|edit)$/.test(pathname))

/** Three brands with their accounts and slots. */
async function createBrands(): Promise<Publisher> {
  const ada = await createPublisher(stage)
  const ids = [ada.brandId]
  for (const name of brandNames.slice(1)) {
    const { id } = await ada.fetchJson<{ id: string }>('POST /api/brands', { name, timeZone: 'Europe/Berlin' })
    await ada.fetchJson('POST /api/integrations/sandbox/connect', {
      brandId: id,
      handle: `${ada.handle}-${name[0]?.toLowerCase()}`,
    })
    ids.push(id)
  }
  const queueSlots = [1, 2, 3, 4, 5, 6, 7].map((day) => ({ day, time: '17:00' }))
  for (const id of ids) await ada.fetchJson(`PUT /api/brands/${id}`, { queueSlots })
  await administer(
    stage.database.url,
    (sql) => sql`
      INSERT INTO social.connections (id, brand_id, provider, owner_id, external_id, name, metadata)
      SELECT gen_random_uuid(), brand::uuid, provider, gen_random_uuid(), provider, 'acme', '{"username": "acme", "isSubscribed": false}'
      FROM unnest(ARRAY['x', 'bluesky']) AS provider, unnest(${ids}::text[]) AS brand`,
  )
  return ada
}

async function listPosts(ada: Publisher): Promise<ListedPost[]> {
  const query = 'GET /api/posts?status=scheduled&order=soonest&limit=100'
  const { items } = await ada.fetchJson<PostList>(query)
  return items
}

const localTime = ({ scheduledAt }: Pick<ListedPost, 'scheduledAt'>) =>
  scheduledAt && new Date(scheduledAt).toLocaleString('sv', { timeZone: 'Europe/Berlin' }).slice(0, 16)

/** What was planned is what was meant: days, slots, texts of networks, the moved post and the copies. */
async function checkPlan(ada: Publisher): Promise<void> {
  expect(await eventually(async () => (await listPosts(ada)).length === brandNames.length * postsOfBrand)).toBe(true)
  const posts = await listPosts(ada)
  for (const brand of brandNames) {
    const own = posts.filter(({ brandName }) => brandName === brand)
    for (const day of days) {
      const ofDay = own.filter((post) => post.text.startsWith(textOf(brand, day)) && localTime(post)?.endsWith('09:00'))
      const isOwn = daysWithOwnText.includes(day)
      expect(ofDay.map((post) => `${post.provider} ${localTime(post)?.slice(0, 10)} ${post.text}`).toSorted()).toEqual(
        ['bluesky', 'sandbox', 'x'].map((provider) => {
          const at = dayOf(day === moved && provider === firstShown(own, day) ? day + 1 : day)
          return `${provider} ${at} ${textOf(brand, day)}${isOwn && provider === 'x' ? ownText : ''}`
        }),
      )
    }
    const slots = own.filter((post) => localTime(post)?.endsWith('17:00')).map((post) => localTime(post))
    expect([slots.length, new Set(slots).size]).toEqual([inSlots.length * networks.length + 1, inSlots.length + 1])
  }
}

/** The network whose post was moved. */
const firstShown = (posts: readonly ListedPost[], day: number) =>
  posts.find((post) => post.text.includes(`for the ${day}.`) && localTime(post)?.startsWith(dayOf(day + 1)))?.provider

test('SOC-34 a month of posts for three brands is planned with the mouse alone, in less than 15 minutes of a person', async () => {
  const ada = await createBrands()
  const { page, errors } = await ada.open('/workspace/calendar')
  const person = new Effort(page)
  const write = async (words: string, more: () => Promise<void> = async () => {}) => {
    await text(page).waitFor()
    await person.pasteByMouse(words)
    for (const network of networks)
      if (!(await account(page, network).locator('input').isChecked())) await person.click(account(page, network))
    await more()
    await person.click(schedule(page))
  }
  const takeSlot = () => person.click(page.getByText('Next free slot', { exact: true }))
  const writeOwnText = async () => {
    await person.click(page.getByRole('tab', { name: /^X\b/ }))
    await person.click(page.getByLabel('Text for X', { exact: true }))
    await person.pasteByMouse(ownText)
  }
  for (const brand of brandNames) {
    if (brand !== brandNames[0]) {
      await person.click(page.getByRole('button', { name: 'Brand: ' }))
      await person.click(page.getByRole('link', { name: brand }))
    }
    await page.locator('.switcher', { hasText: brand }).waitFor()
    if (brand === brandNames[0]) await person.click(main(page).getByRole('link', { name: 'Next month' }))
    for (const day of days) {
      await person.clickIn(inDay(page, day), inDay(page, day).getByRole('link', { name: label(day) }))
      await write(textOf(brand, day), daysWithOwnText.includes(day) ? writeOwnText : undefined)
      await planned(page, brand, day).waitFor()
    }
    await person.drag(planned(page, brand, moved), inDay(page, moved + 1))
    await planned(page, brand, moved, moved + 1).waitFor()
    for (const slot of inSlots) {
      await person.click(newPost(page))
      await write(textOf(brand, slot), takeSlot)
      await leftComposer(page)
    }
    await person.click(page.getByRole('button', { name: 'More actions' }))
    await person.click(page.getByRole('button', { name: 'Duplicate' }))
    await text(page).waitFor()
    await takeSlot()
    await person.click(schedule(page))
    await leftComposer(page)
    await person.click(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Calendar' }))
    await inDay(page, moved)
      .or(main(page).getByRole('link', { name: 'Next month' }))
      .first()
      .waitFor()
    if ((await inDay(page, moved).count()) === 0)
      await person.click(main(page).getByRole('link', { name: 'Next month' }))
  }
  await checkPlan(ada)
  console.info(person.describe('A month with the mouse'))
  expect(person.counts.keys).toBe(0)
  expect(person.minutes).toBeLessThan(maxMinutes)
  expect(errors).toEqual([])
})

test('SOC-34 PLT-40 a month of posts for three brands is planned with the keyboard alone, in less than 15 minutes of a person', async () => {
  const ada = await createBrands()
  const { page, errors } = await ada.open('/workspace/calendar')
  const person = new Effort(page)
  const enter = async (target: Locator) => {
    await person.tabTo(target)
    await person.press('Enter')
  }
  const write = async (words: string, more: () => Promise<void> = async () => {}) => {
    await page.locator('textarea:focus').waitFor()
    await person.paste(words)
    for (const network of networks) {
      const box = account(page, network).locator('input')
      if (await box.isChecked()) continue
      await person.tabTo(box)
      await person.press('Space')
    }
    await more()
    await person.press('Control+Enter')
  }
  const takeSlot = async () => {
    const choices = page.locator('post-composer input[name="when"]')
    await person.tabTo(page.locator('post-composer input[name="when"]:checked'))
    const slot = choices.and(page.locator('[value="slot"]'))
    await person.walk(async () => ((await slot.isChecked()) ? null : 'ArrowRight'))
  }
  const writeOwnText = async () => {
    await person.tabTo(page.getByRole('tab', { selected: true }))
    const tab = page.getByRole('tab', { name: /^X\b/ })
    await person.walk(async () => ((await tab.getAttribute('aria-selected')) === 'true' ? null : 'ArrowRight'))
    await person.tabTo(page.getByLabel('Text for X', { exact: true }))
    await person.press('Control+End')
    await person.paste(ownText)
  }
  for (const brand of brandNames) {
    if (brand !== brandNames[0]) {
      await enter(page.getByRole('button', { name: 'Brand: ' }))
      await enter(page.getByRole('link', { name: brand }))
    }
    await page.locator('.switcher', { hasText: brand }).waitFor()
    if (brand === brandNames[0]) await enter(main(page).getByRole('link', { name: 'Next month' }))
    await inDay(page, 28).waitFor()
    for (const day of days) {
      // Later, the calendar opens at the day that was planned last.
      if (day === days[0]) await person.tabTo(main(page).locator('.day header a').first())
      else await person.press('Tab')
      await person.walk(() => wayTo(page, day))
      await person.press('Enter')
      await write(textOf(brand, day), daysWithOwnText.includes(day) ? writeOwnText : undefined)
      await planned(page, brand, day).waitFor()
    }
    await person.tabTo(planned(page, brand, moved).locator('a').first())
    await person.press('Alt+ArrowRight')
    await planned(page, brand, moved, moved + 1).waitFor()
    for (const slot of inSlots) {
      await enter(newPost(page))
      await write(textOf(brand, slot), takeSlot)
      await leftComposer(page)
    }
    await enter(page.getByRole('button', { name: 'More actions' }))
    const duplicate = page.getByRole('button', { name: 'Duplicate' })
    await person.walk(async () => ((await isFocused(duplicate)) ? null : 'ArrowDown'))
    await person.press('Enter')
    await text(page).waitFor()
    await takeSlot()
    await person.press('Control+Enter')
    await leftComposer(page)
    await enter(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Calendar' }))
    await main(page).getByRole('link', { name: 'Next month' }).waitFor()
    if ((await inDay(page, moved).count()) === 0) await enter(main(page).getByRole('link', { name: 'Next month' }))
  }
  await checkPlan(ada)
  console.info(person.describe('A month with the keyboard'))
  expect([person.counts.pointing, person.counts.clicks]).toEqual([0, 0])
  expect(person.minutes).toBeLessThan(maxMinutes)
  expect(errors).toEqual([])
})

const isFocused = (element: Locator) => element.evaluate((each) => each === document.activeElement)

/** The key that leads closer to a day: weeks first. The day’s first link is that to a new post. */
async function wayTo(page: Page, day: number): Promise<string | null> {
  const focused = await page.locator('.day:focus-within').getAttribute('id')
  const distance = Temporal.PlainDate.from(focused?.replace('day-', '') ?? '').until(dayOf(day)).days
  if (distance >= 7) return 'ArrowDown'
  if (distance > 0) return 'ArrowRight'
  return (await isFocused(inDay(page, day).getByRole('link', { name: label(day) }))) ? null : 'Shift+Tab'
}
