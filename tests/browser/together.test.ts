import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import type { Post } from '#social/types'
import { axe } from '../support/browser.ts'
import { layoutFaults } from '../support/layout.ts'
import {
  createPublisher,
  joinOrganization,
  openAs,
  openTwoServers,
  type Publisher,
  type TestSite,
} from './test-site.ts'

// Two servers on one database: Ada works at the first one, Jonas at the second one.

let first: TestSite
let second: TestSite
let ada: Publisher
let jonas: Publisher

beforeAll(async () => {
  ;({ first, second } = await openTwoServers())
  ada = await createPublisher(first, { name: 'Ada Okafor' })
  jonas = await createPublisher(second, { name: 'Jonas Brandt', connected: false })
  await joinOrganization(first, jonas, ada, 'editor')
})
afterAll(() => first.close())

const text = (page: Page) => page.getByLabel('Text', { exact: true })
const saved = (page: Page) => page.locator('#saved-state', { hasText: /^Saved \d\d:\d\d$/ })
const avatar = (page: Page, name: string) => page.getByRole('img', { name, exact: true })
const newer = (page: Page) => page.getByText(/^Jonas Brandt saved a newer version at \d\d:\d\d$/)
const editOf = ({ id }: Post) => `/workspace/posts/${id}/edit`
const read = ({ id }: Post) => ada.fetchJson<Post>(`GET /api/posts/${id}`)
const write = (content: string, more = {}) =>
  ada.fetchJson<Post>('POST /api/posts', { brandId: ada.brandId, provider: 'sandbox', text: content, ...more })
const leftComposer = (page: Page) => page.waitForURL(({ pathname }) => /^\/workspace\/posts\/[\w-]{36}$/.test(pathname))
const openBoth = async (post: Post) => {
  const hers = await openAs(first, ada.person, editOf(post), { expected: [409] })
  const his = await openAs(second, jonas.person, editOf(post), { expected: [409] })
  return { hers, his }
}

test('SOC-12 two people in one draft see each other at two servers, until one closes the page', async () => {
  const { hers, his } = await openBoth(await write('Together'))
  await avatar(hers.page, 'Jonas Brandt').waitFor()
  await avatar(his.page, 'Ada Okafor').waitFor()
  expect(await avatar(hers.page, 'Ada Okafor').count()).toBe(0)
  await hers.page.getByText('Jonas Brandt also has this post open').waitFor({ state: 'attached' })
  expect([await axe(hers.page), await layoutFaults(hers.page)]).toEqual([[], []])
  await his.page.close()
  await avatar(hers.page, 'Jonas Brandt').waitFor({ state: 'detached' })
  expect([hers.errors, his.errors]).toEqual([[], []])
})

test('SOC-12 person who types is told that a newer version was saved, without losing the text', async () => {
  const post = await write('As it was')
  const { hers, his } = await openBoth(post)
  await text(hers.page).fill('Mine, half typed')
  await avatar(hers.page, 'Jonas Brandt').waitFor()
  await text(his.page).fill('Theirs')
  await his.page.getByRole('button', { name: 'Save draft' }).click()
  await leftComposer(his.page)
  await newer(hers.page).waitFor()
  expect(await text(hers.page).inputValue()).toBe('Mine, half typed')
  expect(await axe(hers.page)).toEqual([])
  await hers.page.getByRole('button', { name: 'Compare' }).click()
  await hers.page.getByRole('alert').getByText('Theirs', { exact: true }).waitFor()
  await hers.page.getByRole('button', { name: 'Keep mine' }).click()
  await newer(hers.page).waitFor({ state: 'detached' })
  expect([await text(hers.page).inputValue(), hers.errors]).toEqual(['Mine, half typed', []])
})

test('SOC-12 conflict is merged by field: what only the other person changed is taken, and a text is written from both', async () => {
  const post = await write('As it was', { tags: ['winter'] })
  const { page } = await openAs(first, ada.person, editOf(post), { expected: [409], width: 360 })
  await text(page).fill('Mine')
  await saved(page).waitFor()
  await ada.fetchJson(`PUT /api/posts/${post.id}`, { text: 'Theirs', tags: ['winter', 'latte'] })
  await page.getByRole('button', { name: 'Save draft' }).click()
  const conflict = page.getByRole('alert')
  const field = (name: string) => conflict.getByRole('group', { name })
  await field('Text for Sandbox').getByText('Theirs', { exact: true }).waitFor()
  expect(await field('Text for Sandbox').getByRole('radio', { name: 'Your version' }).isChecked()).toBe(true)
  expect(await field('Tags').getByRole('radio', { name: 'Saved version' }).isChecked()).toBe(true)
  expect([await axe(page), await layoutFaults(page)]).toEqual([[], []])
  // By keyboard: the focus is on the first choice.
  await page.keyboard.press('ArrowDown')
  await page.keyboard.type(' and theirs')
  expect(await field('Text for Sandbox').getByRole('textbox').inputValue()).toBe('Mine and theirs')
  await conflict.getByRole('button', { name: 'Merge' }).press('Enter')
  expect(await text(page).inputValue()).toBe('Mine and theirs')
  await page.getByRole('button', { name: 'Undo' }).click()
  await conflict.getByText('Theirs', { exact: true }).waitFor()
  expect(await text(page).inputValue()).toBe('Mine')

  await field('Tags').getByRole('radio', { name: 'Saved version' }).check()
  await conflict.getByRole('button', { name: 'Merge' }).click()
  await page.getByRole('button', { name: 'Save draft' }).click()
  await leftComposer(page)
  expect(await read(post)).toMatchObject({ text: 'Mine', tags: ['winter', 'latte'], version: 3 })
})
