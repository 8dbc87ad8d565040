import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { readConfig } from '#config'
import { openDatabase } from '#lib/db.ts'
import { chosenContexts } from '../../src/contexts.ts'
import { searchPaths } from '../../src/public-site.ts'
import { axe, openPage } from '../support/browser.ts'
import { layoutFaults } from '../support/layout.ts'
import { createPublisher, openTestSite, type TestSite } from './test-site.ts'

let stage: TestSite
let checkoutPath: string
let bookingPath: string
beforeAll(async () => {
  stage = await openTestSite({ OPERATOR_NAME: 'Acme GmbH', OPERATOR_ADDRESS: 'Main Street 1|Berlin' })
  // Without accounts, `/` is the page to sign up.
  await createPublisher(stage)
  ;[checkoutPath, bookingPath] = await Promise.all([startCheckout(), bookDemo()])
})
afterAll(() => stage.close())

/** Those for everyone, which search engines find. */
const found = searchPaths(chosenContexts(readConfig({ ATRIUM_ENV: 'test' })))
const pages: Record<string, () => string> = {
  ...Object.fromEntries(found.map((path) => [path, () => path])),
  '/checkout/:id': () => checkoutPath,
  '/demo/bookings/:token': () => bookingPath,
  '/pricng (missing)': () => '/pricng',
}

async function startCheckout(): Promise<string> {
  const response = await fetch(`${stage.server.url}/api/checkout`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ package: 'five', seats: 4, email: 'c@example.com', organizationName: 'Corner Bakery' }),
  })
  if (response.status !== 201) throw new Error(`The checkout answered ${response.status}: ${await response.text()}`)
  const { id }: { id: string } = await response.json()
  return `/checkout/${id}`
}

async function bookDemo(): Promise<string> {
  const slots = await fetch(`${stage.server.url}/api/demo-slots`)
  const { items }: { items: { startsAt: string; available: boolean }[] } = await slots.json()
  const startsAt = items.find(({ available }) => available)?.startsAt
  const response = await fetch(`${stage.server.url}/api/demo-bookings`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'petra@example.com', name: 'Petra', startsAt, timeZone: 'Europe/Lisbon' }),
  })
  const { token }: { token: string } = await response.json()
  const database = openDatabase(stage.database.url, 1)
  await database.sql`UPDATE platform.mails SET state = 'refused' WHERE recipient = 'petra@example.com'`
  await database.close()
  return `/demo/bookings/${token}`
}

const windows = new Map<string, ReturnType<typeof openPage>>()

/** One window for each color scheme. */
function opened(scheme: 'light' | 'dark', javaScriptEnabled = true): ReturnType<typeof openPage> {
  const key = `${scheme} ${javaScriptEnabled}`
  const known = windows.get(key)
  if (known) return known
  const options = { scheme, expected: [404], context: { javaScriptEnabled } }
  const fresh = openPage(stage.browser, { ...options, url: `${stage.server.url}/imprint` })
  windows.set(key, fresh)
  return fresh
}

async function visit(name: string, scheme: 'light' | 'dark', hasScripts = true) {
  const { page, errors } = await opened(scheme, hasScripts)
  errors.length = 0
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.goto(stage.server.url + (pages[name]?.() ?? name))
  return { page, errors }
}

test.each(Object.keys(pages))(
  'DSH-34 %s is accessible and fits the window at 390 and 1280 px in both color schemes',
  async (name) => {
    for (const scheme of ['light', 'dark'] as const) {
      const { page, errors } = await visit(name, scheme)
      for (const width of [1280, 390]) {
        await page.setViewportSize({ width, height: 900 })
        const flaws = { layout: await layoutFaults(page), axe: await axe(page), errors }
        expect({ scheme, width, ...flaws }).toEqual({ scheme, width, layout: [], axe: [], errors: [] })
      }
    }
  },
)

interface Outline {
  title: string
  headings: string[]
  landmarks: Record<string, number>
  meta: Record<string, string>
}

const outlineOf = (page: Page): Promise<Outline> =>
  page.evaluate(() => {
    const isRead = (element: Element) => !element.closest('[inert], [aria-hidden=true]')
    const metas = [...document.querySelectorAll('meta[name], meta[property]')].map((meta) => [
      meta.getAttribute('name') ?? meta.getAttribute('property'),
      meta.getAttribute('content'),
    ])
    const landmarks = ['body > header', 'main', 'body > footer'].map((one) => [
      one.replace('body > ', ''),
      document.querySelectorAll(one).length,
    ])
    return {
      title: document.title,
      headings: [...document.querySelectorAll('h1, h2, h3, h4')].filter(isRead).map(({ tagName }) => tagName),
      landmarks: Object.fromEntries(landmarks),
      meta: {
        ...Object.fromEntries(metas),
        canonical: document.querySelector('link[rel=canonical]')?.getAttribute('href') ?? '',
        language: document.documentElement.lang,
      },
    }
  })

test('DSH-34 public pages have landmarks, one first heading without skipped levels, and their own title and description', async () => {
  const seen = { titles: new Set<string>(), descriptions: new Set<string>() }
  for (const name of Object.keys(pages)) {
    const { page } = await visit(name, 'light')
    const { title, headings, landmarks, meta } = await outlineOf(page)
    expect([name, landmarks]).toEqual([name, { header: 1, main: 1, footer: 1 }])
    expect([name, headings.filter((each) => each === 'H1'), headings[0]]).toEqual([name, ['H1'], 'H1'])
    const skipped = headings.filter((each, at) => Number(each[1]) > Number((headings[at - 1] ?? 'H0')[1]) + 1)
    expect([name, skipped]).toEqual([name, []])
    expect([name, title, title.length < 70]).toEqual([name, expect.stringContaining('Atrium'), true])
    expect([name, meta['language']]).toEqual([name, 'en'])
    if (!found.includes(name)) {
      expect([name, meta['robots']]).toEqual([name, 'noindex'])
      continue
    }
    const { description = '', canonical } = meta
    expect([name, description.length > 20, description.length <= 160]).toEqual([name, true, true])
    expect([name, meta['robots'], canonical]).toEqual([name, undefined, stage.server.url + name])
    expect([name, meta['og:url'], meta['og:description']]).toEqual([name, canonical, description])
    expect([name, meta['og:title'], meta['og:site_name']]).toEqual([name, expect.any(String), 'Atrium'])
    const image = await fetch(meta['og:image'] ?? '')
    expect([name, image.status, image.headers.get('content-type')]).toEqual([name, 200, 'image/png'])
    seen.titles.add(title)
    seen.descriptions.add(description)
  }
  expect([seen.titles.size, seen.descriptions.size]).toEqual([found.length, found.length])
})

/** What a visitor reads on a page that was just loaded; the ID of the request differs. */
const textOf = async (page: Page): Promise<string[]> => {
  const texts = await page.locator('main :is(h1, h2, h3, p, li, label, legend, td, summary, .button)').allInnerTexts()
  return texts.map((text) => text.replace(/\s+/g, ' ').trim()).filter((text) => text && !text.startsWith('Request ID'))
}

test('DSH-34 public pages can be read, and their menu and forms used, without scripts', async () => {
  for (const name of Object.keys(pages)) {
    // The time zone of the browser needs a script.
    if (name === '/demo') continue
    const scripted = await textOf((await visit(name, 'light')).page)
    const plain = await textOf((await visit(name, 'light', false)).page)
    const missing = scripted.filter((text) => !plain.includes(text) && !text.startsWith('You’re charged'))
    expect([name, missing, plain.length > 3]).toEqual([name, [], true])
  }
  const { page } = await visit('/contact', 'light', false)
  await page.setViewportSize({ width: 390, height: 900 })
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Pricing' }).click()
  await page.waitForURL('**/pricing')
  await page.getByLabel('Seats').fill('4')
  await page.getByLabel('Seats').press('Enter')
  await page.getByText('€56.00 a month for 4 seats').waitFor()
  expect(await layoutFaults(page)).toEqual([])
  await page.getByRole('link', { name: 'Choose Five' }).click()
  expect(await page.getByRole('radio', { name: /^Five/ }).isChecked()).toBe(true)
  expect(await page.getByLabel('Seats').inputValue()).toBe('4')
  await page.goto(`${stage.server.url}/checkout`)
  await page.getByLabel('Ten').check()
  await page.getByLabel('Seats').fill('3')
  await page.getByLabel('Email').fill('ten@example')
  await page.getByLabel('Organization name').fill('Ten Ovens')
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  const email = page.getByLabel('Email')
  expect(await email.evaluate((one) => one === document.activeElement)).toBe(true)
  expect(await email.getAttribute('aria-invalid')).toBe('true')
  await page.getByLabel('Seats').focus()
  await page
    .getByRole('alert')
    .getByRole('link', { name: /email address/ })
    .click()
  expect(await email.evaluate((one) => one === document.activeElement)).toBe(true)
  expect(await page.getByLabel('Ten').isChecked()).toBe(true)
  expect(await page.getByLabel('Seats').inputValue()).toBe('3')
  await page.getByLabel('Email').fill('ten@example.com')
  const started = page.waitForResponse('**/api/checkout')
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  expect((await started).headers()['refresh']).toContain('/dev/payments/checkout/')
})

test('DSH-34 public pages are used by keyboard: the first stop skips to the content, and each has a visible focus', async () => {
  for (const name of Object.keys(pages)) {
    const { page } = await visit(name, 'light')
    const stops: string[] = []
    for (let step = 0; step < 12; step++) {
      await page.keyboard.press('Tab')
      stops.push(await page.evaluate(describeFocus))
    }
    expect([name, stops[0]]).toEqual([name, 'Skip to content'])
    expect([name, stops.filter((stop) => stop.startsWith('!'))]).toEqual([name, []])
  }
})

/** The name of what has the focus, after `!` when nothing shows that. Runs in the page. */
function describeFocus(): string {
  const focused = document.activeElement
  if (!(focused instanceof HTMLElement) || focused === document.body) return 'the end'
  const name = focused.getAttribute('aria-label') ?? (focused.innerText || focused.id || focused.tagName)
  // A radio button can be shown by its label.
  const shown = [focused, focused.closest('label'), focused.nextElementSibling, focused.closest('.input')]
  const isVisible = shown.some((one) => {
    if (!one) return false
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one)
    return (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none'
  })
  return isVisible ? name : `! ${name}`
}

test('DSH-34 checkout shows the price of the chosen package and seats', async () => {
  const { page } = await visit('/checkout', 'light')
  await page.getByLabel('Five').check()
  await page.getByLabel('Seats').fill('4')
  const order = page.getByRole('region', { name: 'Your order' })
  await order.getByText('Five, 4 seats').waitFor()
  const price = await page.locator('.plan', { hasText: 'Five' }).locator('.price').innerText()
  const total = (Number(price.replace(/[^\d.]/g, '')) * 4).toFixed(2)
  expect(await order.locator('dd').innerText()).toContain(total)
})

test('DSH-34 first paint of a public page waits for one stylesheet and no script', async () => {
  for (const name of Object.keys(pages)) {
    const { page } = await visit(name, 'light')
    const blocking = await page.evaluate(() =>
      performance.getEntriesByType('resource').flatMap((entry) => {
        const isBlocking = 'renderBlockingStatus' in entry && entry.renderBlockingStatus === 'blocking'
        return isBlocking ? [entry.name.replace(/.*\/assets\/\w+\//, '')] : []
      }),
    )
    expect([name, blocking]).toEqual([name, ['css/site.css']])
  }
})

/** Maximum for everything that the front page needs, in bytes. */
const frontPageMax = 60_000

test('DSH-34 front page transfers less than 60 KB, draws its heading first and doesn’t move', async () => {
  const { page } = await openPage(stage.browser, { url: `${stage.server.url}/imprint`, width: 390 })
  const session = await page.context().newCDPSession(page)
  let transferred = 0
  session.on('Network.loadingFinished', ({ encodedDataLength }) => (transferred += encodedDataLength))
  await session.send('Network.enable')
  await session.send('Network.clearBrowserCache')
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 900 })
    transferred = 0
    await session.send('Network.clearBrowserCache')
    await page.goto(stage.server.url, { waitUntil: 'networkidle' })
    expect(transferred).toBeGreaterThan(10_000)
    expect(transferred).toBeLessThan(frontPageMax)
    const { shift, largest } = await page.evaluate(measurePaint)
    expect(shift).toBeLessThan(0.05)
    expect(largest).toMatch(/^(H1|P)$/)
  }
})

/** The layout shift so far, and the element of the largest paint. Runs in the page. */
function measurePaint(): Promise<{ shift: number; largest: string }> {
  const { promise, resolve } = Promise.withResolvers<{ shift: number; largest: string }>()
  let shift = 0
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if ('value' in entry) shift += Number(entry.value)
  }).observe({ type: 'layout-shift', buffered: true })
  new PerformanceObserver((list) => {
    const last = list.getEntries().at(-1)
    const element = last && 'element' in last ? last.element : null
    resolve({ shift, largest: element instanceof Element ? element.tagName : '' })
  }).observe({ type: 'largest-contentful-paint', buffered: true })
  return promise
}
