import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import type { Notification } from '#dashboard/types'
import type { Post, PostReviews } from '#social/types'
import { eventually } from '../boot/program.ts'
import { axe } from '../support/browser.ts'
import { scaleTime } from '../support/time-scale.ts'
import {
  createPublisher,
  main,
  openAs,
  openFollowed,
  openTwoServers,
  type Publisher,
  type TestSite,
} from './test-site.ts'

// Two servers on one database: ada decides at the first one, and her other browser is at the second one.
let first: TestSite
let second: TestSite
let ada: Publisher

beforeAll(async () => {
  ;({ first, second } = await openTwoServers())
  ada = await createPublisher(first)
  await ada.fetchJson(`PUT /api/brands/${ada.brandId}`, { reviewPolicy: { approvals: 1, allowAuthor: true } })
})
afterAll(() => first.close())

async function requestReview(text: string): Promise<string> {
  const { id } = await ada.fetchJson<{ id: string }>('POST /api/posts', {
    brandId: ada.brandId,
    provider: 'sandbox',
    text,
  })
  await ada.fetchJson(`POST /api/posts/${id}/review-requests`, {})
  return id
}

/** Another page, and the same one when it is loaded again, have no mark. */
const mark = (page: Page) => page.evaluate(() => void Reflect.set(window, 'marked', true))
const isMarked = (page: Page) => page.evaluate(() => Reflect.get(window, 'marked') === true)

const cardOf = (page: Page, text: string) => main(page).getByRole('article', { name: text })

const follow = (path: string) => openFollowed(second, ada.person, path)

test('SOC-32 approval in one browser is seen in another at another server within a second', async () => {
  await requestReview('Maple oat latte is back')
  const feed = `/workspace/feed?brandId=${ada.brandId}&show=all`
  const other = await follow(feed)
  await cardOf(other, 'Maple oat latte is back').getByText('0 of 1 approval').waitFor()
  const { page } = await openAs(first, ada.person, feed)
  await cardOf(page, 'Maple oat latte is back').getByLabel('Why (optional)').fill('Lovely')
  const began = performance.now()
  await cardOf(page, 'Maple oat latte is back').getByRole('button', { name: 'Approve' }).click()
  await cardOf(other, 'Maple oat latte is back').getByText('Approved', { exact: true }).waitFor()
  expect(performance.now() - began).toBeLessThan(scaleTime(1_000))
  await cardOf(page, 'Maple oat latte is back').getByText('Approved', { exact: true }).waitFor()
  expect(await cardOf(page, 'Maple oat latte is back').getByLabel('Why (optional)').inputValue()).toBe('')
})

test('SOC-32 typed comment and reason stay while a colleague comments and edits the post', async () => {
  const id = await requestReview('What would you like to learn')
  const page = await follow(`/workspace/feed?brandId=${ada.brandId}&show=all`)
  const card = cardOf(page, 'What would you like to learn')
  const [comment, reason] = [card.getByLabel('Comment', { exact: true }), card.getByLabel('Why (optional)')]
  await reason.fill('Half a reason')
  await comment.fill('Half a comment')
  await ada.fetchJson(`POST /api/posts/${id}/comments`, { text: 'From a colleague' })
  await card.getByText('From a colleague').waitFor()
  await ada.fetchJson(`PUT /api/posts/${id}`, { text: 'What would you like to learn: filter or milk?' })
  await card.getByText('filter or milk?').first().waitFor()
  expect([await reason.inputValue(), await comment.inputValue()]).toEqual(['Half a reason', 'Half a comment'])
  await card.getByRole('button', { name: 'Comment', exact: true }).click()
  await card.getByText('Half a comment').waitFor()
  expect([await reason.inputValue(), await comment.inputValue()]).toEqual(['Half a reason', ''])
})

test.each([1440, 360])(
  'SOC-32 post is reviewed in the feed and on its page, with its changes and comments, at %d px',
  async (width) => {
    const text = `What we learned in ${width}`
    const id = await requestReview(text)
    const { page, errors } = await openAs(first, ada.person, `/workspace/feed?brandId=${ada.brandId}`, { width })
    const card = cardOf(page, text)
    await card.getByRole('textbox', { name: 'Comment' }).fill('Is it really February?')
    await card.getByRole('button', { name: 'Comment' }).click()
    await card.getByText('Is it really February?').waitFor()
    expect(await axe(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    await card.getByRole('button', { name: 'Approve' }).click()
    await card.waitFor({ state: 'detached' })

    await ada.fetchJson(`PUT /api/posts/${id}`, { text: `${text} better` })
    await page.goto(`${first.server.url}/workspace/posts/${id}`)
    const review = main(page).getByRole('region', { name: 'Review' })
    await review.getByText('Approval voided by an edit').waitFor()
    expect(await review.locator('ins').allTextContents()).toEqual([' better'])
    await review.getByText('Is it really February?').waitFor()
    await review.getByRole('button', { name: 'Resolve' }).click()
    await review.getByRole('button', { name: 'Reopen' }).waitFor()
    expect(await axe(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    await review.getByRole('button', { name: 'Request changes' }).click()
    await review.getByText('Changes requested by').waitFor()
    expect(errors).toEqual([])
  },
)

test('SOC-32 DSH-20 post is approved at the dashboard and another one sent back in the actions, without leaving the page', async () => {
  const approved = await requestReview('Approved at the dashboard')
  const { page, errors } = await openAs(first, ada.person, '/dashboard')
  const social = main(page).getByRole('region', { name: 'Social', exact: true })
  const approve = social.getByRole('button', { name: 'Approve: Approved at the dashboard' })
  await approve.waitFor()
  expect(await axe(page)).toEqual([])
  await mark(page)
  await approve.press('Enter')
  await approve.waitFor({ state: 'detached' })
  expect(await isMarked(page)).toBe(true)

  const returned = await requestReview('Sent back from the actions')
  // Its buttons get the new version, though the content is the same.
  await ada.fetchJson(`PUT /api/posts/${returned}`, { tags: ['price'] })
  const isRenewed = await eventually(async () => {
    const { items } = await ada.fetchJson<{ items: Notification[] }>('GET /api/notifications')
    return items.some(({ actions }) =>
      actions.some(({ href, body }) => href.includes(returned) && body?.['version'] === 2),
    )
  })
  expect(isRenewed).toBe(true)
  await page.goto(`${first.server.url}/actions`)
  const action = main(page).locator('[data-action]', { hasText: 'Sent back from the actions' })
  await mark(page)
  await action.getByRole('button', { name: 'Request changes' }).click()
  const field = page.getByRole('dialog').getByLabel('Comment')
  await field.fill('The price is missing')
  // Another one arrives meanwhile.
  await requestReview('Requested in the meantime')
  await main(page).locator('[data-action]', { hasText: 'Requested in the meantime' }).waitFor()
  expect(await field.inputValue()).toBe('The price is missing')
  await page.getByRole('dialog').getByRole('button', { name: 'Request changes' }).click()
  await action.waitFor({ state: 'detached' })
  expect(await isMarked(page)).toBe(true)
  const decisionsOn = async (id: string) =>
    (await ada.fetchJson<PostReviews>(`GET /api/posts/${id}/reviews`)).items.map(({ decision, comment }) => [
      decision,
      comment,
    ])
  expect(await decisionsOn(approved)).toEqual([['approve', null]])
  expect(await decisionsOn(returned)).toEqual([['request_changes', 'The price is missing']])
  expect(errors).toEqual([])
})

test('SOC-32 approved text is restored on the page of the post, which is approved again', async () => {
  const id = await requestReview('Approved as it is')
  await ada.fetchJson(`POST /api/posts/${id}/reviews`, { decision: 'approve' })
  await ada.fetchJson(`PUT /api/posts/${id}`, { text: 'Changed by mistake' })
  const { page, errors } = await openAs(first, ada.person, `/workspace/posts/${id}`)
  const review = main(page).getByRole('region', { name: 'Review' })
  await review.getByText('Approval voided by an edit').waitFor()
  await review.getByRole('button', { name: 'Restore approved text' }).click()
  await page.getByText('Approved text restored', { exact: true }).waitFor()
  await review.getByText('Approved', { exact: true }).waitFor()
  await review.getByRole('button', { name: 'Restore approved text' }).waitFor({ state: 'detached' })
  await main(page).getByText('Approved as it is').first().waitFor()
  expect(errors).toEqual([])
})

test('SOC-32 networks of a submission are tabs in the feed, moved between by keyboard, and kept by a reload of the card', async () => {
  await ada.fetchJson('POST /api/integrations/sandbox/connect', { brandId: ada.brandId, handle: `${ada.handle}-2` })
  const { items: accounts } = await ada.fetchJson<{ items: { id: string }[] }>(
    `GET /api/accounts?brandId=${ada.brandId}&provider=sandbox`,
  )
  const targets = accounts.map(({ id }, at) => ({
    provider: 'sandbox',
    text: `Text ${at + 1}`,
    target: { connectionId: id },
  }))
  const { items } = await ada.fetchJson<{ items: Post[] }>('POST /api/posts', { brandId: ada.brandId, targets })
  for (const { id } of items) await ada.fetchJson(`POST /api/posts/${id}/review-requests`, {})
  const { page, errors } = await openAs(first, ada.person, `/workspace/feed?brandId=${ada.brandId}`, { width: 360 })
  const card = main(page).locator('.review', { has: page.getByRole('radio') })
  const shown = () => card.locator('.network-tabs .prose:visible').allInnerTexts()
  const [before = ''] = await shown()
  expect(before).toMatch(/^Text [12]$/)
  expect([await axe(page), await shown()]).toEqual([[], [before]])
  await card.getByRole('radio').first().focus()
  await page.keyboard.press('ArrowRight')
  const other = before === 'Text 1' ? 'Text 2' : 'Text 1'
  expect(await shown()).toEqual([other])
  await card.getByRole('textbox', { name: 'Comment' }).first().fill('Both are fine')
  await card.getByRole('button', { name: 'Comment' }).first().click()
  await card.getByText('Both are fine').waitFor()
  expect([await shown(), errors]).toEqual([[other], []])
})

test('SOC-32 member is offered after an @ in a comment, and inserted with the keyboard', async () => {
  await requestReview('Who checks the price')
  const { page, errors } = await openAs(first, ada.person, `/workspace/feed?brandId=${ada.brandId}`)
  const field = cardOf(page, 'Who checks the price').getByRole('textbox', { name: 'Comment' })
  await field.pressSequentially('Please look @')
  const list = page.getByRole('listbox', { name: 'Suggestions' })
  await list.getByRole('option').first().waitFor()
  expect(await list.evaluate((shown) => getComputedStyle(shown).position)).toBe('absolute')
  expect(await axe(page)).toEqual([])
  await field.press('Enter')
  const [name = ''] = ada.person.name.split(' ')
  expect(await field.inputValue()).toBe(`Please look @${name} `)
  expect(await page.getByRole('listbox').count()).toBe(0)
  expect(errors).toEqual([])
})

test('SOC-32 policy is set on the page of the brand', async () => {
  const { page } = await openAs(first, ada.person, `/workspace/brands/${ada.brandId}`)
  const policy = main(page).getByRole('region', { name: 'Review' })
  await policy.getByLabel('Approvals', { exact: true }).fill('2')
  await policy.getByLabel('Count approvals of guests').selectOption('No')
  await policy.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
  const { reviewPolicy } = await ada.fetchJson<{ reviewPolicy: object }>(`GET /api/brands/${ada.brandId}`)
  expect(reviewPolicy).toEqual({ approvals: 2, allowAuthor: true, countGuests: false })
})
