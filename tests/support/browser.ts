import { readdirSync, readFileSync } from 'node:fs'
import axeCore from 'axe-core'
import {
  chromium as playwright,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
} from 'playwright-core'
import { chromium } from './chromium.ts'
import { scaleTime } from './time-scale.ts'

interface Opening {
  url: string
  /** Of the viewport, in CSS pixels. */
  width?: number
  scheme?: 'light' | 'dark'
  /** Statuses that the test provokes: Chromium logs an error for each such response. */
  expected?: number[]
  /** Whether scripts of pages run; by default they do. */
  scripts?: boolean
  /** Such as another page's `storageState`, to continue as the same person. */
  context?: BrowserContextOptions
}

interface OpenedPage {
  page: Page
  /** The page's errors so far: every test ends by expecting none. */
  errors: string[]
}

interface Violation {
  rule: string
  help: string
  /** The markup of the elements that violate the rule. */
  elements: string[]
}

/** Unpacked while the file loads, when no hook timeout runs yet. */
const { executablePath, env } = await chromium()

const args = ['--disable-gpu', '--disable-quic', '--font-render-hinting=none']

let shared: Browser | undefined

/**
 * The Chromium of this process, shared by its test files, which run one after the other. Each file ends with
 * `closeWindows()`.
 */
export async function openBrowser(): Promise<Browser> {
  if (!shared?.isConnected())
    shared = await playwright.launch({ executablePath, args, env: { ...process.env, ...env } })
  return shared
}

/** A Chromium of its own, which keeps what pages store in the folder. */
export async function openProfile(folder: string): Promise<BrowserContext> {
  const context = await playwright.launchPersistentContext(folder, {
    executablePath,
    args,
    env: { ...process.env, ...env },
    serviceWorkers: 'block',
    reducedMotion: 'reduce',
  })
  context.setDefaultTimeout(scaleTime(20_000))
  return context
}

/** Ends the Chromium of `openProfile` as a crash does. */
export function killBrowser(profile: string): void {
  for (const id of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const command = commandOf(id)
    // The other processes of Chromium end with it.
    if (command.includes(`--user-data-dir=${profile}`) && !command.includes('--type='))
      process.kill(Number(id), 'SIGKILL')
  }
}

function commandOf(process: string): string {
  try {
    return readFileSync(`/proc/${process}/cmdline`, 'utf8')
  } catch {
    // It ended meanwhile.
    return ''
  }
}

/** Closes all pages of a file, with cookies and caches. */
export async function closeWindows(browser: Browser): Promise<void> {
  await Promise.all(browser.contexts().map((context) => context.close()))
}

/** Opens a URL as a new visitor with an English browser in London that prefers reduced motion. */
export async function openPage(browser: Browser, opening: Opening): Promise<OpenedPage> {
  const { url, width = 1440, scheme = 'light', expected = [], scripts = true, context } = opening
  // Page transitions take a third of the processor time without a graphics card.
  const visitor = { locale: 'en-GB', timezoneId: 'Europe/London', reducedMotion: 'reduce' as const }
  // What a worker requests can't be held or changed by `page.route`.
  const serviceWorkers = 'block' as const
  const viewport = { width, height: 900 }
  const environment = { serviceWorkers, viewport, colorScheme: scheme, javaScriptEnabled: scripts }
  const session = await browser.newContext({ ...visitor, ...environment, ...context })
  const page = await session.newPage()
  page.setDefaultTimeout(scaleTime(20_000))
  const errors = collectErrors(page, expected)
  await page.goto(url)
  return { page, errors }
}

/** The violations that axe-core finds on the page; `only` selects rules, the default is all. */
export async function axe(page: Page, only?: string[]): Promise<Violation[]> {
  // Elements that are fading in have no final colors yet.
  await page.waitForFunction(() => document.getAnimations().every((each) => !(each instanceof CSSTransition)))
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeCore.source)
  return page.evaluate(async (rules) => {
    // Without the lists of passed rules, and without fetching the style sheets again for one experimental rule.
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
