import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import type { Post } from '#social/types'
import { axe } from '../support/browser.ts'
import { createPublisher, main, openTestSite, status, type Publisher, type TestSite } from './test-site.ts'

let stage: TestSite
let ada: Publisher
beforeAll(async () => {
  stage = await openTestSite()
  ada = await createPublisher(stage)
})
afterAll(() => stage.close())

/** Publishes a post, and opens its page once it is on its network. */
async function openPublished(text: string, options: Parameters<Publisher['open']>[1] = {}) {
  const post = { brandId: ada.brandId, provider: 'sandbox', text, status: 'scheduled', scheduledAt: 'now' }
  const { id } = await ada.fetchJson<Post>('POST /api/posts', post)
  const opened = await ada.open(`/workspace/posts/${id}`, options)
  await status(opened.page, 'Published').waitFor()
  return { ...opened, id }
}

async function openForm(page: Page, id: string) {
  await main(page).getByRole('link', { name: 'Correct', exact: true }).click()
  await page.waitForURL(`**/workspace/posts/${id}/correct`)
  const text = page.getByLabel('Text', { exact: true })
  const send = () => page.getByRole('button', { name: 'Correct on Sandbox' }).click()
  return { text, send, problem: main(page).locator('.form-problem') }
}

const corrections = (page: Page) =>
  main(page).getByRole('list', { name: 'Corrections, newest first' }).getByRole('listitem')

test('SOC-48 person corrects a published post in its form, and its page has the history', async () => {
  const { page, errors, id } = await openPublished('Back from Munday', { width: 360 })
  const { text, send } = await openForm(page, id)
  expect(await text.inputValue()).toBe('Back from Munday')
  expect(await axe(page)).toEqual([])
  await text.fill('Back from Monday')
  await page.getByLabel('Reason').fill('Wrong day')
  await send()
  await page.waitForURL(`**/workspace/posts/${id}`)
  const entry = corrections(page).first()
  await entry.getByText('Wrong day').waitFor()
  expect(await entry.locator('del').innerText()).toBe('Back from Munday')
  expect(await entry.locator('ins').innerText()).toBe('Back from Monday')
  expect(await corrections(page).count()).toBe(1)
  expect(await axe(page)).toEqual([])
  expect(errors).toEqual([])
})

test('SOC-48 correction keeps its typed text when another person corrected the post meanwhile', async () => {
  const { page, errors, id } = await openPublished('First', { expected: [409] })
  const { text, send, problem } = await openForm(page, id)
  await text.fill('Typed here')
  await ada.fetchJson(`POST /api/posts/${id}/corrections`, { text: 'Corrected elsewhere' })
  await send()
  await problem.getByText('changed').waitFor()
  expect(await text.inputValue()).toBe('Typed here')
  expect(new URL(page.url()).pathname).toEndWith('/correct')
  expect((await ada.fetchJson<Post>(`GET /api/posts/${id}`)).text).toBe('Corrected elsewhere')
  expect(await axe(page)).toEqual([])
  expect(errors).toEqual([])
})

test('SOC-48 refusal of the network is shown in the form, which keeps the text and can be sent again', async () => {
  const { page, errors, id } = await openPublished('Refused at first', { expected: [502] })
  const { text, send, problem } = await openForm(page, id)
  await text.fill('Accepted later')
  await ada.setBehavior({ mode: 'fail', status: 403, times: 1 })
  await send()
  await problem.getByText('403').waitFor()
  expect(await text.inputValue()).toBe('Accepted later')
  await send()
  await page.waitForURL(`**/workspace/posts/${id}`)
  await corrections(page).nth(1).waitFor()
  expect(await corrections(page).locator('.status').allInnerTexts()).toEqual(['Corrected', 'Failed'])
  expect(errors).toEqual([])
})
