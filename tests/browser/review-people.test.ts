import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import type { Notification } from '#dashboard/types'
import type { Post, PostReviews } from '#social/types'
import { eventually } from '../boot/program.ts'
import { scaleTime } from '../support/time-scale.ts'
import {
  createPublisher,
  joinOrganization,
  main,
  openAs,
  openTwoServers,
  type Publisher,
  type TestSite,
} from './test-site.ts'

// Two people in two browsers at two servers on one database: Ada writes at the first one, Ben reviews at the second one.

let first: TestSite
let second: TestSite
let ada: Publisher
let ben: Publisher

beforeAll(async () => {
  ;({ first, second } = await openTwoServers())
  ada = await createPublisher(first, { name: 'Ada Okafor' })
  ben = await createPublisher(second, { name: 'Ben Hart', connected: false })
  await joinOrganization(first, ben, ada, 'reviewer')
  await ada.fetchJson(`PUT /api/brands/${ada.brandId}`, { reviewPolicy: { approvals: 1 } })
})
afterAll(() => first.close())

interface Desk {
  page: Page
  errors: string[]
  /** Does what loads another page, and waits until that page follows changes. */
  leaving(act: () => Promise<unknown>): Promise<void>
}

async function openDesk(site: TestSite, { person }: Publisher, path: string): Promise<Desk> {
  const { page, errors } = await openAs(site, person, '/api/health', { expected: [404] })
  let subscribed = Promise.withResolvers<void>()
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => {
      if (String(payload).includes('"subscribed"')) subscribed.resolve()
    }),
  )
  const leaving = async (act: () => Promise<unknown>) => {
    subscribed = Promise.withResolvers<void>()
    await act()
    await subscribed.promise
    await mark(page)
  }
  await leaving(() => page.goto(site.server.url + path))
  return { page, errors, leaving }
}

/** Another page, and the same one when it is loaded again, have no mark. */
const mark = (page: Page) => page.evaluate(() => void Reflect.set(window, 'marked', true))
const isMarked = (page: Page) => page.evaluate(() => Reflect.get(window, 'marked') === true)

/** One person acts, and the other one sees it within a second on the page that they have open. */
async function sees({ page }: Desk, isShown: () => Promise<void>, act: () => Promise<unknown>): Promise<void> {
  const began = performance.now()
  await Promise.all([isShown(), act()])
  expect(performance.now() - began).toBeLessThan(scaleTime(1_000))
  expect(await isMarked(page)).toBe(true)
}

test('SOC-32 SOC-49 author and reviewer see each other’s steps within a second, from the request to the approval of an edit', async () => {
  const post = await ada.fetchJson<Post>('POST /api/posts', {
    brandId: ada.brandId,
    provider: 'sandbox',
    text: 'Maple oat latte is back',
  })
  const hers = await openDesk(first, ada, `/workspace/posts/${post.id}`)
  const his = await openDesk(second, ben, `/workspace/feed?brandId=${ada.brandId}&show=all`)
  const review = main(hers.page).getByRole('region', { name: 'Review' })
  const card = main(his.page).getByRole('article', { name: 'Maple oat latte is back' })
  expect(await card.count()).toBe(0)

  await sees(
    his,
    () => card.getByText('0 of 1 approval').waitFor(),
    () => review.getByRole('button', { name: 'Request review' }).click(),
  )

  const comment = card.getByRole('textbox', { name: 'Comment', exact: true })
  await comment.pressSequentially('@Ad')
  await his.page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option', { name: 'Ada Okafor' }).waitFor()
  await comment.press('Enter')
  await comment.pressSequentially('where is the price?')
  await sees(
    hers,
    () => review.getByText('@Ada where is the price?').waitFor(),
    () => comment.press('Enter'),
  )
  const isMentioned = async () => {
    const { items } = await ada.fetchJson<{ items: Notification[] }>('GET /api/notifications')
    return items.some(({ kind, title }) => kind === 'comment.mentioned' && title.includes('Ben Hart'))
  }
  expect(await eventually(isMentioned)).toBe(true)

  await card.getByLabel('Why (optional)').fill('The price is missing')
  await sees(
    hers,
    () => review.getByText('The price is missing').waitFor(),
    () => card.getByRole('button', { name: 'Request changes' }).click(),
  )
  await review.getByText('Changes requested by Ben Hart').waitFor()

  const edit = async (text: string) => {
    await hers.leaving(() => main(hers.page).getByRole('link', { name: 'Edit', exact: true }).click())
    await hers.page.getByLabel('Text', { exact: true }).fill(text)
    const save = () => hers.page.getByRole('button', { name: 'Save draft' }).click()
    const isOnPost = ({ pathname }: URL) => pathname === `/workspace/posts/${post.id}`
    await sees(
      his,
      () => card.getByText(text).first().waitFor(),
      () => hers.leaving(async () => Promise.all([hers.page.waitForURL(isOnPost), save()])),
    )
  }
  await edit('Maple oat latte is back for 4.20')
  await card.getByText('0 of 1 approval').waitFor()

  const approve = () =>
    sees(
      hers,
      () => review.getByText('Approved', { exact: true }).waitFor(),
      () => card.getByRole('button', { name: 'Approve' }).click(),
    )
  await approve()
  await review.getByText('Approved by Ben Hart').waitFor()

  await edit('Maple oat latte is back for 4.50')
  await card.getByText('Approval voided by an edit').waitFor()
  await review.getByText('Approval voided by an edit').waitFor()
  expect(await card.locator('ins').allTextContents()).toEqual(['50'])
  await approve()

  const { items, review: state } = await ada.fetchJson<PostReviews>(`GET /api/posts/${post.id}/reviews`)
  expect(state.state).toBe('approved')
  expect(items.map(({ decision, by, voidReason }) => [decision, by.name, voidReason])).toEqual([
    ['approve', 'Ben Hart', null],
    ['approve', 'Ben Hart', 'edited'],
    ['request_changes', 'Ben Hart', 'edited'],
  ])
  expect([hers.errors, his.errors]).toEqual([[], []])
})

test('SOC-32 SOC-49 owner’s approval of their own post asks for a code, the reviewer’s doesn’t, who can’t edit it', async () => {
  const post = await ada.fetchJson<Post>('POST /api/posts', { brandId: ada.brandId, provider: 'sandbox', text: 'Mine' })
  await ada.fetchJson(`POST /api/posts/${post.id}/review-requests`, {})
  const hers = await openDesk(first, ada, `/workspace/posts/${post.id}`)
  const his = await openDesk(second, ben, `/workspace/posts/${post.id}`)
  const offered = async ({ page }: Desk) => [
    await main(page).getByLabel('Code from your authenticator app').count(),
    await main(page).getByRole('link', { name: 'Edit', exact: true }).count(),
  ]
  expect([await offered(hers), await offered(his)]).toEqual([
    [1, 1],
    [0, 0],
  ])
  await sees(
    hers,
    () => main(hers.page).getByRole('region', { name: 'Review' }).getByText('Approved', { exact: true }).waitFor(),
    () => main(his.page).getByRole('button', { name: 'Approve' }).click(),
  )
})
