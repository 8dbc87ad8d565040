import axeCore from 'axe-core'
import { chromium as playwright, type Browser, type BrowserContextOptions, type Page } from 'playwright-core'
import { chromium } from './chromium.ts'
import { patiently } from './patience.ts'

interface Opening {
  url: string
  /** The viewport's, in CSS pixels. */
  width?: number
  scheme?: 'light' | 'dark'
  /** Statuses that the test provokes: Chromium writes an error line for each such answer, which is no mistake. */
  expected?: number[]
  /** Such as another page's `storageState`, to come as the same person. */
  context?: BrowserContextOptions
}

interface OpenedPage {
  page: Page
  /** What the page complained of so far: a test's last line is that there is nothing. */
  errors: string[]
}

interface Violation {
  rule: string
  help: string
  /** The markup of the elements that break the rule. */
  elements: string[]
}

/** Unpacked while the file loads: no hook's time-out runs yet. */
const { executablePath, env } = await chromium()

const args = ['--disable-gpu', '--disable-quic', '--font-render-hinting=none']

let shared: Browser | undefined

/** The Chromium of this process, which its test files share one after the other. A file ends with `closeWindows()`. */
export async function openBrowser(): Promise<Browser> {
  if (!shared?.isConnected())
    shared = await playwright.launch({ executablePath, args, env: { ...process.env, ...env } })
  return shared
}

/** Closes all that a file opened, with its cookies and caches. */
export async function closeWindows(browser: Browser): Promise<void> {
  await Promise.all(browser.contexts().map((context) => context.close()))
}

/** Opens an address as a new visitor whose browser speaks English, lives in London and prefers little motion. */
export async function openPage(browser: Browser, opening: Opening): Promise<OpenedPage> {
  const { url, width = 1440, scheme = 'light', expected = [], context } = opening
  // Transitions between pages take a third of the processor time where no graphics card draws them.
  const visitor = { locale: 'en-GB', timezoneId: 'Europe/London', reducedMotion: 'reduce' as const }
  const viewport = { width, height: 900 }
  const session = await browser.newContext({ ...visitor, viewport, colorScheme: scheme, ...context })
  const page = await session.newPage()
  page.setDefaultTimeout(patiently(20_000))
  const errors = collectErrors(page, expected)
  await page.goto(url)
  return { page, errors }
}

/** What axe-core finds wrong with a page as it stands; `only` names the rules that are asked, else all are. */
export async function axe(page: Page, only?: string[]): Promise<Violation[]> {
  // What is still fading in has no colors of its own yet.
  await page.waitForFunction(() => document.getAnimations().every((each) => !(each instanceof CSSTransition)))
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeCore.source)
  return page.evaluate(async (rules) => {
    // Without the lists of what passed, and without fetching the style sheets again for one experimental rule.
    const options = { preload: false, resultTypes: ['violations' as const], ...(rules && { runOnly: rules }) }
    const { violations } = await window.axe.run(document, options)
    return violations.map(({ id, help, nodes }) => ({ rule: id, help, elements: nodes.map(({ html }) => html) }))
  }, only)
}

declare global {
  interface Window {
    axe: typeof axeCore
  }
}

function collectErrors(page: Page, expected: number[]): string[] {
  const errors: string[] = []
  const ofAnswer = /^Failed to load resource: the server responded with a status of (\d+)/
  page.on('pageerror', (error) => errors.push(error.stack || error.message || String(error)))
  page.on('console', (message) => {
    const status = Number(ofAnswer.exec(message.text())?.[1])
    if (message.type() === 'error' && !expected.includes(status)) {
      errors.push(`${message.text()} (${message.location().url})`)
    }
  })
  return errors
}
