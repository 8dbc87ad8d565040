import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { z } from 'zod'
import type { Post } from '#social/types'
import { axe, openPage } from '../support/browser.ts'
import { layoutFaults, layoutWidths } from '../support/layout.ts'
import {
  main,
  openTestSite,
  createPublisher,
  status,
  type OpenedPage,
  type Publisher,
  type TestSite,
} from './test-site.ts'

const word = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'
const japanese = '新しいコーヒー豆が入荷しました。深煎りの香りとまろやかな甘みをお楽しみください。'.repeat(3)
const long = { name: `Ada ${word}`, brand: word.slice(0, 80), handle: 'a'.repeat(30) }

let stage: TestSite
let ada: Publisher
let posts: Record<'draft' | 'failed' | 'unknown' | 'waiting' | 'scheduled' | 'published', Post>
beforeAll(async () => {
  stage = await openTestSite()
  ada = await createPublisher(stage, long)
  posts = await writeInEveryState()
  await uploadLongName()
  await reportUsage()
  await raiseLongAction()
})
afterAll(() => stage.close())

/** Each page, how to open it, and a text that shows it is ready. */
const pages: Record<string, { path: () => string; shows: string; act?: (page: Page) => Promise<void> }> = {
  front: { path: () => '/', shows: 'Before you sign up' },
  login: { path: () => '/login', shows: 'Sign in to Atrium' },
  register: { path: () => '/register', shows: 'Create your account' },
  'API reference': { path: () => '/openapi', shows: 'Idempotency' },
  'API of posts': { path: () => '/openapi/posts', shows: 'Create a post or thread' },
  posts: { path: () => `/workspace/posts?brandId=${ada.brandId}`, shows: 'Needs attention' },
  'posts, none found': { path: () => `/workspace/posts?brandId=${ada.brandId}&q=zzz`, shows: 'No matching posts' },
  queue: { path: () => `/workspace/queue?brandId=${ada.brandId}`, shows: 'Queue:' },
  'slots of a post': { path: () => `/workspace/queue/${posts.scheduled.id}/move`, shows: 'Move post to a slot' },
  media: {
    path: () => `/workspace/media?brandId=${ada.brandId}`,
    shows: 'No alt text',
    act: async (page) => {
      await main(page).getByRole('link', { name: word }).first().click()
      await page.getByRole('heading', { name: 'Fit by network' }).waitFor()
      // The checkbox of a picture is shown on it while the pointer is there.
      await page.mouse.move(0, 0)
    },
  },
  composer: {
    path: () => `/workspace/posts/new?brandId=${ada.brandId}`,
    shows: 'Publish to',
    act: async (page) => {
      await page.getByLabel('Text', { exact: true }).fill(word)
      await page.getByRole('button', { name: 'Add to thread' }).click()
      await page.getByLabel('Post 2 of 2').fill(japanese)
    },
  },
  'edited post': { path: () => `/workspace/posts/${posts.scheduled.id}/edit`, shows: 'Edit post' },
  draft: { path: () => `/workspace/posts/${posts.draft.id}`, shows: 'History' },
  'failed post': { path: () => `/workspace/posts/${posts.failed.id}`, shows: 'Nothing was published' },
  'unknown outcome': { path: () => `/workspace/posts/${posts.unknown.id}`, shows: 'We couldn’t confirm' },
  'waiting post': { path: () => `/workspace/posts/${posts.waiting.id}`, shows: 'Waiting for post 1' },
  'published post': { path: () => `/workspace/posts/${posts.published.id}`, shows: 'Attempts' },
  correction: { path: () => `/workspace/posts/${posts.published.id}/correct`, shows: 'Changes the post on Sandbox' },
  accounts: { path: () => `/workspace/accounts?brandId=${ada.brandId}`, shows: 'Connected on' },
  account: {
    path: () => '/workspace/accounts',
    shows: 'Connected on',
    act: async (page) => {
      await main(page)
        .getByRole('link', { name: `@${ada.handle}` })
        .click()
      await page.getByRole('heading', { name: 'Health' }).waitFor()
    },
  },
  spend: { path: () => '/gateway', shows: 'Show as table' },
  usage: {
    path: () => `/gateway/usage?groupBy=model&applicationId=${word.slice(0, 60)}`,
    shows: 'Verified',
    act: (page) => main(page).getByText('Show as table').click(),
  },
  brands: { path: () => '/workspace/brands', shows: 'Time zone' },
  brand: { path: () => `/workspace/brands/${ada.brandId}`, shows: 'Settings' },
  'general settings': { path: () => '/settings/organization', shows: 'Danger zone' },
  members: { path: () => '/settings/members', shows: 'Second factor' },
  'sign-in settings': { path: () => '/settings/sign-in', shows: 'What your provider needs' },
  dashboard: {
    path: () => '/dashboard',
    shows: 'Refunds today',
    act: async (page) => {
      await page.waitForFunction(() => !document.querySelector('.widget:not([hidden]) [aria-busy]'))
    },
  },
  apps: { path: () => '/apps', shows: 'Installed' },
  actions: {
    path: () => '/actions',
    shows: word,
    act: async (page) => {
      await main(page).getByRole('button', { name: 'Send again' }).waitFor()
    },
  },
  'actions, none found': { path: () => '/actions?state=snoozed', shows: 'Nothing snoozed' },
  'action’s dialog': {
    path: () => '/actions',
    shows: word,
    act: async (page) => {
      await main(page)
        .locator('[data-action]', { hasText: word })
        .getByRole('button', { name: word.slice(0, 60) })
        .last()
        .click()
      await page.getByText('A program posted this').filter({ visible: true }).waitFor()
    },
  },
  'settings overview': { path: () => '/settings', shows: 'Only for you' },
  'notification settings': { path: () => '/settings/notifications', shows: 'Quiet hours' },
  palette: {
    path: () => '/workspace/posts',
    shows: 'Needs attention',
    act: async (page) => {
      await page.keyboard.press('Control+k')
      await page.keyboard.type('d')
      await page.getByRole('option', { name: /^Ada/ }).waitFor()
    },
  },
  timeline: { path: () => `/dev/sandbox/${ada.handle}`, shows: 'Behavior' },
  'practice models': {
    path: () => '/dev/models',
    shows: 'Behavior',
    act: async (page) => {
      await page.request.post(`${stage.server.url}/dev/models/v1/chat/completions`, {
        headers: { authorization: 'Bearer sk-of-the-page-test' },
        data: { model: 'practice-small', messages: [{ role: 'user', content: word }] },
      })
      await main(page).getByText('200 · practice-small').first().waitFor()
    },
  },
  'practice payments': {
    path: () => '/dev/payments',
    shows: 'Behavior',
    act: async (page) => {
      await openCheckout(page)
      await main(page).getByText('checkout.session · open').first().waitFor()
    },
  },
  'practice checkout': {
    path: () => '/dev/payments',
    shows: 'Behavior',
    act: async (page) => {
      await page.goto(await openCheckout(page))
      await page.getByRole('button', { name: 'Pay' }).waitFor()
    },
  },
  'page not found': { path: () => '/workspace/nowhere', shows: 'Page not found' },
  'open menu': {
    path: () => `/workspace/posts/${posts.scheduled.id}`,
    shows: 'History',
    act: async (page) => {
      await page.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('button', { name: 'Duplicate' }).waitFor()
    },
  },
  'open dialog': {
    path: () => `/workspace/posts/${posts.failed.id}`,
    shows: 'Nothing was published',
    act: async (page) => {
      await page.getByRole('button', { name: 'Reschedule' }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
}

/** A checkout of the practice payments. */
async function openCheckout(page: Page): Promise<string> {
  const made = await page.request.post(`${stage.server.url}/dev/payments/v1/checkout/sessions`, {
    headers: { authorization: 'Bearer sk_test_pages' },
    form: {
      success_url: stage.server.url,
      cancel_url: stage.server.url,
      'line_items[0][price_data][currency]': 'eur',
      'line_items[0][price_data][unit_amount]': '350',
      'line_items[0][price_data][product_data][name]': word,
    },
  })
  return z.object({ url: z.string() }).parse(await made.json()).url
}

const outside = ['front', 'login', 'register', 'API reference', 'API of posts']

test.each(Object.keys(pages))(
  'PLT-40 page %s has no overflow, accessibility or console errors at every width in both color schemes',
  async (name) => {
    expect(await flawsOf(name, 'light', [...layoutWidths, 768, 360, 1440])).toEqual({})
    expect(await flawsOf(name, 'dark', [360])).toEqual({})
  },
)

const settings = [
  '/settings/dashboard',
  '/settings/profile',
  '/settings/security',
  '/settings/sessions',
  '/settings/workspaces',
  '/settings/export',
  '/settings/organization',
  '/settings/members',
  '/settings/keys',
  '/settings/webhooks',
  '/settings/audit',
  '/developers',
  '/pay',
  '/pay/orders',
  '/gateway/telemetry',
  '/gateway/limits',
  '/gateway/models',
  '/gateway/models/practice/practice-small',
  '/gateway/credentials',
]

test.each(settings)('PLT-40 %s keeps its layout at every width and is accessible in the dark scheme', async (path) => {
  const { page, errors } = await opened('ada', 'dark')
  errors.length = 0
  await page.goto(stage.server.url + path)
  await main(page).getByRole('heading', { level: 1 }).waitFor()
  for (const width of layoutWidths) {
    await page.setViewportSize({ width, height: 900 })
    expect([width, await layoutFaults(page)]).toEqual([width, []])
  }
  await page.setViewportSize({ width: 360, height: 900 })
  expect(await axe(page)).toEqual([])
  expect(errors).toEqual([])
})

/**
 * The flaws of a page: elements that overflow at each width, axe findings at the last one, console errors.
 */
async function flawsOf(name: string, scheme: 'light' | 'dark', widths: number[]): Promise<Record<string, unknown>> {
  const { path, shows, act } = pages[name] ?? { path: () => '', shows: '' }
  const { page, errors } = await opened(outside.includes(name) ? 'guest' : 'ada', scheme)
  errors.length = 0
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(stage.server.url + path())
  await main(page).getByText(shows).filter({ visible: true }).first().waitFor()
  await act?.(page)
  const flaws: [string, unknown[]][] = []
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    const faults = await layoutFaults(page)
    flaws.push([`layout at ${width} px`, faults.length > 0 ? await layoutFaultsOfNextFrame(page) : faults])
  }
  flaws.push(['axe', await axe(page)], ['console', errors])
  return Object.fromEntries(flaws.filter(([, found]) => found.length > 0))
}

/** After a resize, Chrome can lay container queries out with the next frame. */
async function layoutFaultsOfNextFrame(page: Page): Promise<string[]> {
  await page.evaluate(() => new Promise<void>((done) => requestAnimationFrame(() => setTimeout(done))))
  return layoutFaults(page)
}

const windows = new Map<string, Promise<OpenedPage>>()

/** One window for each visitor and color scheme, since opening one takes as long as checking a page. */
function opened(visitor: 'ada' | 'guest', scheme: 'light' | 'dark'): Promise<OpenedPage> {
  const key = `${visitor} ${scheme}`
  const known = windows.get(key)
  if (known) return known
  const path = '/login'
  const fresh =
    visitor === 'ada'
      ? ada.open(path, { scheme, expected: [404] })
      : openPage(stage.browser, { url: stage.server.url + path, scheme })
  windows.set(key, fresh)
  return fresh
}

test('PLT-21 content security policy blocks scripts and markup that users entered', async () => {
  const { page, errors } = await ada.open(`/workspace/posts?brandId=${ada.brandId}`)
  const outcome = await page.evaluate(() => {
    const attempt = (act: () => void) => {
      try {
        act()
        return 'done'
      } catch (error) {
        return error instanceof Error ? error.name : 'thrown'
      }
    }
    const button = document.createElement('button')
    document.body.append(button)
    const script = document.createElement('script')
    script.append('document.title = "taken"')
    return {
      handler: attempt(() => button.setAttribute('onclick', 'document.title = "taken"')),
      clicked: attempt(() => button.click()),
      markup: attempt(() => (document.body.innerHTML += '<p>')),
      text: attempt(() => (script.textContent = 'document.title = "taken"')),
      script: attempt(() => document.body.append(script)),
      title: document.title,
    }
  })
  expect(outcome).toMatchObject({ handler: 'TypeError', markup: 'TypeError', text: 'TypeError' })
  expect(outcome.title).toStartWith('Posts')
  expect(await page.title()).toStartWith('Posts')
  expect(errors.join()).toContain('The action has been blocked')
})

test('PLT-43 first visit to the posts page or the composer transfers less than 100 KB, the next one less than 20 KB', async () => {
  const { page } = await ada.open('/login')
  const session = await page.context().newCDPSession(page)
  let transferred = 0
  session.on('Network.loadingFinished', ({ encodedDataLength }) => (transferred += encodedDataLength))
  await session.send('Network.enable')
  const weigh = async (path: string) => {
    transferred = 0
    await page.goto(`${stage.server.url}${path}?brandId=${ada.brandId}`, { waitUntil: 'networkidle' })
    return transferred
  }
  for (const path of ['/workspace/posts', '/workspace/posts/new']) {
    await session.send('Network.clearBrowserCache')
    const first = await weigh(path)
    expect(first).toBeGreaterThan(10_000)
    expect(first).toBeLessThan(100_000)
    expect(await weigh(path)).toBeLessThan(20_000)
  }
})

/** More models than the chart has colors, all with long names, and a limit. */
async function reportUsage(): Promise<void> {
  const event = (model: string, at: number) => ({
    requestId: String(at),
    applicationId: word.slice(0, 60),
    family: 'ai',
    provider: word.slice(0, 40),
    model,
    unit: 'token',
    quantity: 12_345_678 * at,
    costNanoUsd: 98_765_432_109 * at,
    metadata: { brand: word, post: String(at) },
  })
  const models = [word, 'b', 'c', 'd', 'e', 'f'].map(event)
  await ada.fetchJson('POST /platform/usage/events', models)
  const limit = { scope_type: 'application', scope_value: word.slice(0, 60).replaceAll('ä', 'a'), period: 'week' }
  await ada.fetchJson('POST /api/limits', { ...limit, mode: 'hard', limitNanoUsd: 1_000_000_000 })
}
test('GTW-33 a budget that is created with the keyboard refuses a call, and lets it pass once it is raised', async () => {
  const { page } = await ada.open('/gateway/limits', { expected: [402] })
  const call = async () => {
    const response = await page.request.post(`${stage.server.url}/api/ai/chat/completions`, {
      headers: { origin: stage.server.url },
      data: { model: 'practice-small', messages: [{ role: 'user', content: 'Hello' }], max_tokens: 50 },
    })
    return response.status()
  }
  const openDialog = page.getByRole('button', { name: 'New budget' })
  await openDialog.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'New budget' })
  // The amount has the focus.
  await page.keyboard.type('0')
  const tryIt = dialog.getByRole('button', { name: 'Try with the last 30 days' })
  await tryIt.focus()
  await page.keyboard.press('Enter')
  await dialog.getByRole('heading', { name: 'Dry run' }).waitFor()
  await dialog.getByRole('button', { name: 'Create budget' }).focus()
  await page.keyboard.press('Enter')
  await main(page).getByText('The monthly budget of the organization is used up').waitFor()
  expect(await call()).toBe(402)
  await main(page).getByRole('button', { name: 'Raise limit' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: /^Edit the monthly/ }).waitFor()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('9000')
  await page.keyboard.press('Enter')
  await main(page).getByText('The monthly budget of the organization is used up').waitFor({ state: 'detached' })
  expect(await call()).toBe(200)
})

/** Of an app, with words that no line is long enough for. */
const raiseLongAction = () =>
  ada.fetchJson('POST /api/notifications', {
    cause: 'long',
    title: `Decide about ${word}`,
    reason: `${word} ${japanese}`,
    href: '/actions',
    actions: [
      { label: word.slice(0, 60), method: 'POST', href: '/api/payments/check', body: { note: word } },
      { label: 'See what changed', method: 'GET', href: '/actions' },
    ],
  })

async function uploadLongName(): Promise<void> {
  const image = sharp({ create: { width: 400, height: 300, channels: 3, background: 'teal' } })
  const file = (await image.png().toBuffer()).toString('base64')
  await ada.fetchJson('POST /api/media', { brandId: ada.brandId, name: word, file })
}

async function writeInEveryState(): Promise<typeof posts> {
  const base = { brandId: ada.brandId, provider: 'sandbox' }
  const write = (values: Record<string, unknown>) => ada.fetchJson<Post>('POST /api/posts', { ...base, ...values })
  const tomorrow = new Date(Date.now() + 24 * 60 * 60 * 1000).toISOString()
  const [draft, failed, unknown, published] = await Promise.all(
    [word, `Failed ${japanese}`, `Unknown ${word}`, japanese].map((text) => write({ text, tags: [word.slice(0, 50)] })),
  )
  if (!draft || !failed || !unknown || !published) throw new Error('Four posts were written')
  const scheduled = await write({ text: `${word} ${japanese}`, status: 'scheduled', scheduledAt: tomorrow })
  const sendOff = async (post: Post, ends: string) => {
    await ada.fetchJson(`POST /api/posts/${post.id}/publish-now`)
    const { page } = await ada.open(`/workspace/posts/${post.id}`)
    await status(page, ends).waitFor()
    await page.context().close()
  }
  await sendOff(published, 'Published')
  await ada.setBehavior({ mode: 'lose_answer', readBack: false, times: 1 })
  await sendOff(unknown, 'Failed')
  await ada.setBehavior({ mode: 'fail', status: 400 })
  await sendOff(failed, 'Failed')
  const soon = new Date(Date.now() + 1500).toISOString()
  const thread = await ada.fetchJson<{ items: Post[] }>('POST /api/posts', {
    ...base,
    status: 'scheduled',
    scheduledAt: soon,
    thread: [{ text: word }, { text: japanese }],
  })
  const [, waiting] = thread.items
  if (!waiting) throw new Error('A thread of two was written')
  return { draft, failed, unknown, published, scheduled, waiting }
}
