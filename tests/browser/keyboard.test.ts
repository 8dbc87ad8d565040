import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Locator, Page, WebSocketRoute } from 'playwright-core'
import { z } from 'zod'
import { openDatabase } from '#lib/db.ts'
import { newId } from '#lib/ids.ts'
import { eventually } from '../boot/program.ts'
import { openPage } from '../support/browser.ts'
import { main, openTestSite, createPublisher, status, type TestSite } from './test-site.ts'
import { newPerson } from './person.ts'

let stage: TestSite
beforeAll(async () => {
  stage = await openTestSite()
})
afterAll(() => stage.close())

test('PLT-40 person signs up and publishes a post using only the keyboard', async () => {
  const { page, errors } = await openPage(stage.browser, { url: `${stage.server.url}/register` })
  const person = newPerson()
  await page.locator(':focus').waitFor()
  await type(page, person.name, person.email, person.password)
  await tabTo(page, page.getByLabel('Organization', { exact: true }))
  await type(page, person.workspace)
  await press(page, 'Enter')

  const first = main(page).getByRole('link', { name: 'Create your first brand' })
  await first.waitFor()
  await tabTo(page, first)
  await press(page, 'Enter')
  await page.getByRole('heading', { name: 'Create your first brand' }).waitFor()
  await focused(main(page).getByLabel('Name'))
  await type(page, 'Acme Coffee')
  await press(page, 'Enter')

  await page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor()
  const connect = page.getByRole('article', { name: 'Sandbox' }).getByRole('button', { name: 'Connect', exact: true })
  await tabTo(page, connect)
  await press(page, 'Enter')
  const dialog = page.getByRole('dialog', { name: 'Connect Sandbox' })
  await focused(dialog.getByLabel('Handle'))
  await press(page, 'Escape')
  await dialog.waitFor({ state: 'hidden' })
  await focused(connect)
  await press(page, 'Enter')
  await focused(dialog.getByLabel('Handle'))
  await press(page, 'Enter')
  await page.getByText('Connected on').waitFor()

  await tabTo(page, page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'New post' }))
  await press(page, 'Enter')
  await tabTo(page, page.getByLabel('Text', { exact: true }))
  await type(page, 'By keyboard alone')
  await tabTo(page, page.getByRole('button', { name: 'Schedule', exact: true }))
  await press(page, 'Enter')
  await status(page, 'Scheduled').waitFor()

  const inFocus = page.locator(':focus')
  await tabTo(page, page.getByRole('button', { name: 'More actions' }))
  await press(page, 'Enter')
  const names: string[] = []
  for (const key of ['ArrowDown', 'ArrowDown', 'Home', 'End', 'ArrowDown', 'ArrowUp', 'd']) {
    await press(page, key)
    names.push(await inFocus.innerText())
  }
  const second = 'Copy to other accounts'
  expect(names).toEqual(['Duplicate', second, 'Duplicate', 'Delete', 'Duplicate', 'Delete', 'Duplicate'])
  await press(page, 'Escape')

  const questions: string[] = []
  page.on('dialog', (question) => {
    questions.push(question.message())
    void (questions.length === 1 ? question.dismiss() : question.accept())
  })
  const publish = page.getByRole('button', { name: 'Publish now' })
  await tabTo(page, publish)
  await press(page, 'Enter')
  await status(page, 'Scheduled').waitFor()
  await press(page, 'Enter')
  await status(page, 'Published').waitFor()
  const asks = 'Publish this post to Sandbox now? This can’t be undone.'
  expect([questions, errors]).toEqual([[asks, asks], []])
})

test('PLT-40 PLT-41 Escape closes a menu and returns the focus; a deletion can be undone from its toast', async () => {
  const ada = await createPublisher(stage)
  const post = await ada.fetchJson<{ id: string }>('POST /api/posts', {
    brandId: ada.brandId,
    provider: 'sandbox',
    text: 'Deleted by mistake',
  })
  const { page, errors } = await ada.open(`/workspace/posts/${post.id}`)
  const menu = page.getByRole('button', { name: 'More actions' })
  await tabTo(page, menu)
  await press(page, 'Enter')
  await page.getByRole('button', { name: 'Duplicate' }).waitFor()
  await press(page, 'Escape')
  await page.getByRole('button', { name: 'Duplicate' }).waitFor({ state: 'hidden' })
  await focused(menu)

  await press(page, 'Enter')
  await tabTo(page, page.getByRole('button', { name: 'Delete', exact: true }))
  await press(page, 'Enter')
  await page.getByText('No posts yet').waitFor()
  await page.getByRole('button', { name: 'Undo' }).press('Enter')
  await page.getByRole('link', { name: 'Deleted by mistake' }).waitFor()
  await page.getByText('Post restored').waitFor()
  expect(errors).toEqual([])
})

test('PLT-41 dialog for an irreversible deletion opens with the focus on Cancel', async () => {
  const ada = await createPublisher(stage)
  const post = await ada.fetchJson<{ id: string }>('POST /api/posts', {
    brandId: ada.brandId,
    provider: 'sandbox',
    text: 'On the network',
    status: 'scheduled',
    scheduledAt: 'now',
  })
  const { page, errors } = await ada.open(`/workspace/posts/${post.id}`)
  await status(page, 'Published').waitFor()
  await page.getByRole('button', { name: 'More actions' }).press('Enter')
  await page.getByRole('button', { name: 'Delete from Sandbox' }).first().press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Delete from Sandbox?' })
  await focused(dialog.getByRole('button', { name: 'Cancel' }))
  await press(page, 'Enter')
  await dialog.waitFor({ state: 'hidden' })
  expect(errors).toEqual([])
})

test('PLT-40 focus moves to the next row after a row is deleted, and to the heading after the last', async () => {
  const ada = await createPublisher(stage)
  for (const text of ['Written first', 'Written second'])
    await ada.fetchJson('POST /api/posts', { brandId: ada.brandId, provider: 'sandbox', text })
  const { page, errors } = await ada.open('/workspace/posts')
  const remove = async (text: string) => {
    await page.getByRole('button', { name: `More actions: ${text}` }).press('Enter')
    await page.getByRole('button', { name: 'Delete', exact: true }).filter({ visible: true }).press('Enter')
  }
  await remove('Written second')
  await focused(page.getByRole('link', { name: 'Written first' }))
  await remove('Written first')
  await focused(page.getByRole('heading', { level: 1 }))
  expect(await page.getByText('in the meantime').count()).toBe(0)
  expect(errors).toEqual([])
})

test('DSH-21 page isn’t refreshed after its object is deleted and before the next page loads', async () => {
  const ada = await createPublisher(stage)
  const post = await ada.fetchJson<{ id: string }>('POST /api/posts', {
    brandId: ada.brandId,
    provider: 'sandbox',
    text: 'To be deleted slowly',
  })
  const path = `/workspace/posts/${post.id}`
  const { page, errors } = await ada.open('/settings/profile')
  const isSubscribed = Promise.withResolvers<undefined>()
  const isInvalidated = Promise.withResolvers<undefined>()
  let isDeleted = false
  page.on('websocket', (socket) => {
    socket.on('framereceived', ({ payload }) => {
      if (String(payload).includes('subscribed')) isSubscribed.resolve(undefined)
      if (isDeleted && String(payload).includes('invalidate')) isInvalidated.resolve(undefined)
    })
  })
  /** Longer than the page waits before it refreshes. */
  const pause = () => Bun.sleep(1_000)
  await page.route(`**/api/posts/${post.id}`, async (route) => {
    isDeleted = true
    const response = await route.fetch()
    await isInvalidated.promise
    await pause()
    await route.fulfill({ response })
  })
  await page.goto(stage.server.url + path)
  await isSubscribed.promise
  const refreshed: string[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === path) refreshed.push(request.url())
  })
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.route('**/workspace/posts', async (route) => {
    await pause()
    await route.continue()
  })
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText('No posts yet').waitFor()
  expect([refreshed, errors]).toEqual([[], []])
})

test('DSH-21 list of posts with “Load more” shows each post once while others are created and deleted elsewhere', async () => {
  const ada = await createPublisher(stage)
  const write = (text: string) =>
    ada.fetchJson<{ id: string }>('POST /api/posts', { brandId: ada.brandId, provider: 'sandbox', text })
  const drafts = await Promise.all(Array.from({ length: 25 }, (_, nth) => write(`Draft ${nth}`)))
  const { page, errors } = await ada.open('/workspace/posts?status=draft')
  const list = main(page).locator('table')
  const shows = async (count: number) => {
    await list.getByText(`Showing ${count} of ${count}`).waitFor()
    const ids = await list.locator('tr[id]').evaluateAll((rows) => rows.map(({ id }) => id))
    expect([ids.length, new Set(ids).size]).toEqual([count, count])
    expect(await page.locator('#post-tabs [aria-current]').textContent()).toBe(`Drafts${count}`)
  }
  await list.getByText('Showing 20 of 25').waitFor()
  await list.getByRole('link', { name: 'Load more' }).click()
  await shows(25)
  await write('One more')
  await shows(26)
  await Promise.all(drafts.slice(0, 20).map(({ id }) => ada.fetchJson(`DELETE /api/posts/${id}`)))
  await shows(6)
  expect(errors).toEqual([])
})

test('DSH-21 list of posts is loaded only once after a person’s own change, even though the live channel reports it too', async () => {
  const ada = await createPublisher(stage)
  const draft = { brandId: ada.brandId, provider: 'sandbox', text: 'To be deleted' }
  await ada.fetchJson('POST /api/posts', draft)
  const { page, errors } = await ada.open('/settings/profile')
  const frames = framesOf(page)
  await page.goto(`${stage.server.url}/workspace/posts`)
  await frames('subscribed')
  const loaded: string[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/workspace/posts') loaded.push(request.url())
  })
  await page.route('**/api/posts/*', async (route) => {
    const response = await route.fetch()
    if (route.request().method() === 'DELETE') await frames('invalidate')
    await route.fulfill({ response })
  })
  await main(page)
    .getByRole('button', { name: /^More actions/ })
    .click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await main(page).getByText('No posts yet').waitFor()
  await ada.fetchJson('POST /api/posts', { ...draft, text: 'Made elsewhere' })
  await main(page).getByText('Made elsewhere').waitFor()
  expect([loaded.length, errors]).toEqual([2, []])
})

test('DSH-21 page of a post that is deleted elsewhere shows a notice and sends no more requests', async () => {
  const ada = await createPublisher(stage)
  const write = () =>
    ada.fetchJson<{ id: string }>('POST /api/posts', { brandId: ada.brandId, provider: 'sandbox', text: 'Short-lived' })
  const { id } = await write()
  const path = `/workspace/posts/${id}`
  const { page, errors } = await ada.open('/settings/profile')
  const frames = framesOf(page)
  await page.goto(stage.server.url + path)
  await frames('subscribed')
  const requested: string[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === `/api/posts/${id}`) requested.push(request.url())
  })
  await ada.fetchJson(`DELETE /api/posts/${id}`)
  await main(page).getByText('This post was deleted').waitFor()
  expect(await page.title()).toBe('Post deleted · Atrium')
  // The page has unsubscribed from everything.
  await frames('subscribed')
  await write()
  expect(requested).toHaveLength(1)
  expect(errors).toEqual([])
  await main(page).getByRole('link', { name: 'View all posts' }).click()
  await main(page).getByText('Short-lived').waitFor()
})

test('DSH-21 pages of exports and webhooks show changes without a reload', async () => {
  const ada = await createPublisher(stage)
  // A refresh finds that the webhook was deleted.
  const { page, errors } = await ada.open('/settings/export', { expected: [404] })
  const frames = framesOf(page)
  await page.reload()
  await frames('subscribed')
  await ada.fetchJson('POST /api/exports/account', {})
  const exports = main(page).getByRole('list', { name: /^Your exports/ })
  await exports.getByRole('link', { name: 'Download' }).waitFor()

  const hook = { name: 'Store', url: 'https://example.com/hook', events: ['post.published'] }
  const { id } = await ada.fetchJson<{ id: string }>('POST /api/webhooks', hook)
  await page.goto(`${stage.server.url}/settings/webhooks/${id}?delivery=${await failDelivery(ada.organizationId, id)}`)
  await frames('subscribed')
  const response = main(page).getByText('Not today')
  await response.waitFor()
  await main(page).locator('summary').click()
  await response.waitFor({ state: 'hidden' })
  await tabTo(page, main(page).getByRole('button', { name: 'More about Store' }))
  await ada.fetchJson(`PATCH /api/webhooks/${id}`, { name: 'Shop' })
  await main(page).getByRole('heading', { name: 'Shop' }).waitFor()
  await focused(main(page).getByRole('button', { name: 'More about Shop' }))
  expect(await response.isVisible()).toBe(false)
  await ada.fetchJson(`DELETE /api/webhooks/${id}`)
  await main(page).getByText('This webhook was deleted').waitFor()
  expect(await page.title()).toBe('Webhook deleted · Atrium')
  expect(errors).toEqual([])
})

test('DSH-21 page shows a notice when the user loses access, and a failed refresh is retried silently', async () => {
  const ada = await createPublisher(stage)
  const { page } = await ada.open('/settings/profile', { expected: [503] })
  const channels: WebSocketRoute[] = []
  await page.clock.install()
  await page.routeWebSocket(/\/api\/live$/, (channel) => {
    channels.push(channel)
    channel.connectToServer()
  })
  const frames = framesOf(page)
  await page.goto(`${stage.server.url}/workspace/posts`)
  await frames('subscribed')
  /** Advances the page's clock until the condition holds. */
  const passUntil = (isSo: () => boolean | Promise<boolean>) =>
    eventually(async () => {
      await page.clock.runFor(1_000)
      return isSo()
    })
  let isDown = true
  let failures = 0
  await page.route('**/workspace/posts?*', async (route) => {
    if (!isDown) return route.continue()
    await route.fulfill({ status: 503 })
    failures += 1
  })
  await ada.fetchJson('POST /api/posts', { brandId: ada.brandId, provider: 'sandbox', text: 'Seen later' })
  await frames('invalidate')
  expect(await passUntil(() => failures > 0)).toBe(true)
  isDown = false
  expect(await passUntil(() => main(page).getByText('Seen later').isVisible())).toBe(true)
  const notices = page.getByRole('alert')
  expect(await notices.count()).toBe(0)
  channels[0]?.send(JSON.stringify({ type: 'dropped', topics: [`posts:${ada.brandId}`] }))
  expect(await passUntil(() => notices.filter({ hasText: 'This page is out of date' }).isVisible())).toBe(true)
})

test('DSH-21 change whose message was lost with the live connection is shown after reconnecting', async () => {
  const ada = await createPublisher(stage)
  const { page, errors } = await ada.open('/settings/profile')
  let isLost = false
  await page.routeWebSocket(/\/api\/live$/, (channel) => {
    channel.connectToServer().onMessage((text) => {
      if (isLost || !String(text).includes('invalidate')) return channel.send(text)
      isLost = true
      channel.send(JSON.stringify({ type: 'ping' }))
      void channel.close({ code: 1012 })
    })
  })
  const frames = framesOf(page)
  await page.goto(`${stage.server.url}/workspace/posts`)
  await frames('subscribed')
  await ada.fetchJson('POST /api/posts', { brandId: ada.brandId, provider: 'sandbox', text: 'Seen after all' })
  await main(page).getByText('Seen after all').waitFor()
  expect(errors).toEqual([])
})

test('DSH-21 page shows a notice when its session has ended in another tab, and keeps unsaved input', async () => {
  const ada = await createPublisher(stage)
  await ada.fetchJson('POST /api/posts', { brandId: ada.brandId, provider: 'sandbox', text: 'Hello' })
  const { page, errors } = await ada.open('/settings/profile')
  const frames = framesOf(page)
  await page.goto(`${stage.server.url}/workspace/posts`)
  await frames('subscribed')
  const search = main(page).getByRole('searchbox')
  await search.evaluate((input: HTMLInputElement) => (input.value = 'half a wor'))
  await page.evaluate(() => fetch('/api/auth/logout', { method: 'POST' }))
  const notice = page.getByRole('alert').filter({ hasText: 'This page is out of date' })
  await notice.waitFor()
  expect([await search.inputValue(), errors]).toEqual(['half a wor', []])
  await notice.getByRole('link', { name: 'Reload' }).click()
  await page.waitForURL('**/login?next=%2Fworkspace%2Fposts')
})

test('PLT-40 first Tab stop skips the navigation, and the drawer on a narrow screen receives and returns the focus', async () => {
  const ada = await createPublisher(stage)
  const { page, errors } = await ada.open('/workspace/posts', { width: 360 })
  await press(page, 'Tab')
  await focused(page.getByRole('link', { name: 'Skip to content' }))
  await press(page, 'Enter')
  await focused(page.getByRole('main'))

  const opener = page.getByRole('button', { name: 'Menu', exact: true })
  await opener.focus()
  await press(page, 'Enter')
  const brands = page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: /^Brand:/ })
  await tabTo(page, brands)
  await press(page, 'Escape')
  await brands.waitFor({ state: 'hidden' })
  await focused(opener)
  expect(errors).toEqual([])
})

const press = (page: Page, key: string) => page.keyboard.press(key)

/** Types into the focused field and those after it. */
async function type(page: Page, ...texts: string[]): Promise<void> {
  for (const [at, text] of texts.entries()) {
    if (at > 0) await press(page, 'Tab')
    await page.keyboard.type(text)
  }
}

/** Waits until the element has the focus. */
const focused = (element: Locator) => element.and(element.page().locator(':focus')).waitFor()

/** Presses Tab until the element has the focus. */
async function tabTo(page: Page, element: Locator): Promise<void> {
  await element.waitFor()
  for (let stops = 0; stops < 60; stops += 1) {
    if (await element.evaluate((each) => each === document.activeElement)) return
    await press(page, 'Tab')
  }
  throw new Error(`Sixty stops of the Tab key don't lead to ${String(element)}`)
}

/** Inserts a delivery that failed at its only attempt and returns its id. */
async function failDelivery(organizationId: string, endpointId: string): Promise<string> {
  const { sql, close } = openDatabase(stage.database.url, 1)
  const [messageId, id] = [newId(), newId()]
  await sql`INSERT INTO platform.webhook_messages (id, organization_id, type, body, created_at)
    VALUES (${messageId}, ${organizationId}, 'post.published', '{}', now())`
  await sql`INSERT INTO platform.webhook_deliveries (id, message_id, endpoint_id, state, attempts, created_at, settled_at)
    VALUES (${id}, ${messageId}, ${endpointId}, 'failed', 1, now(), now())`
  await sql`INSERT INTO platform.webhook_attempts (delivery_id, number, at, duration_ms, status, answer)
    VALUES (${id}, 1, now(), 9, 500, 'Not today')`
  await close()
  return id
}

/** Returns a function that waits for the next frame of a type on the page's live channel. */
function framesOf(page: Page): (wanted: string) => Promise<unknown> {
  const waiting = new Map<string, () => void>()
  const received: string[] = []
  page.on('websocket', (socket) => {
    socket.on('framereceived', ({ payload }) => {
      const { type: name } = Frame.parse(JSON.parse(String(payload)))
      const next = waiting.get(name)
      waiting.delete(name)
      if (next) next()
      else received.push(name)
    })
  })
  return (wanted) => {
    const at = received.indexOf(wanted)
    if (at >= 0) return Promise.resolve(received.splice(at, 1))
    const { promise, resolve } = Promise.withResolvers<void>()
    waiting.set(wanted, resolve)
    return promise
  }
}

const Frame = z.object({ type: z.string() })
