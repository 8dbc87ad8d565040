import type { Browser, Page } from 'playwright-core'
import { closeWindows, openBrowser, openPage } from '../support/browser.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { serveHere } from '../support/served-here.ts'
import { newPerson, type Person } from './visitor.ts'

/** A server on a database of its own with a browser in front of it: one for a test file. */
export interface Stage {
  server: { url: string }
  browser: Browser
  database: TestDatabase
  close(): Promise<void>
}

/** Opens it; `env` beside what servers of tests have. */
export async function openStage(env: Record<string, string> = {}): Promise<Stage> {
  const database = await freshDatabase()
  const [server, browser] = await Promise.all([serveHere({ databaseUrl: database.url, env }), openBrowser()])
  const close = async () => {
    await closeWindows(browser)
    await server.stop()
    await database.drop()
  }
  return { server, browser, database, close }
}

/** Somebody with a brand and a sandbox account, which the API made: what a test is about happens in the browser. */
export interface Owner {
  person: Person
  organizationId: string
  brandId: string
  handle: string
  /** Calls the API. @throws when the answer is a refusal. */
  ask<Answer>(route: string, body?: unknown): Promise<Answer>
  /** Opens a page in a new window, signed in once for all of them. */
  enter(path: string, options?: Entering): Promise<Entered>
  /** Tells the sandbox network how to treat the account's next posts. */
  behave(behavior: Record<string, unknown>): Promise<unknown>
}

export type Entering = Omit<Parameters<typeof openPage>[1], 'url' | 'context'>
export type Entered = Awaited<ReturnType<typeof openPage>>

interface Wish {
  brand?: string
  timeZone?: string
  handle?: string
  name?: string
}

/** Signs somebody up, with everything that publishing needs. */
export async function settle(stage: Stage, wish: Wish = {}): Promise<Owner> {
  const person = { ...newPerson(), ...(wish.name && { name: wish.name }) }
  const handle = wish.handle ?? `acme-${Bun.randomUUIDv7('hex').slice(-10)}`
  const { workspace: organizationName, ...account } = person
  const registration = { ...account, createOrganization: true, organizationName }
  const { accessToken, organization } = await call<SignedUp>(stage, 'POST /register', { body: registration })
  const ask = <Answer>(route: string, body?: unknown) => call<Answer>(stage, route, { body, token: accessToken })
  const brand = await ask<{ id: string }>('POST /api/brands', {
    name: wish.brand ?? 'Acme Coffee',
    timeZone: wish.timeZone ?? 'Europe/Berlin',
  })
  await ask('POST /api/integrations/sandbox/connect', { brandId: brand.id, handle })
  let context: ReturnType<typeof signIn> | undefined
  const signedIn = async (path: string) => ({
    url: stage.server.url + path,
    context: await (context ??= signIn(stage, person)),
  })
  return {
    person,
    organizationId: organization.id,
    brandId: brand.id,
    handle,
    ask,
    enter: async (path, options) => openPage(stage.browser, { ...options, ...(await signedIn(path)) }),
    behave: (behavior) => ask(`PUT /dev/sandbox/api/accounts/${handle}/behavior`, behavior),
  }
}

/** Opens a page as somebody, in a session of its own. */
export const enter = async (stage: Stage, person: Person, path: string, options: Entering = {}): Promise<Entered> =>
  openPage(stage.browser, { ...options, url: stage.server.url + path, context: await signIn(stage, person) })

/** A browser's memory of somebody who signed in. */
async function signIn(stage: Stage, { email, password }: Person) {
  const answer = await fetch(`${stage.server.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ email, password }),
  })
  const cookies = answer.headers.getSetCookie().map((text) => {
    const { name, value } = Bun.Cookie.parse(text)
    return { name, value, domain: '127.0.0.1', path: '/', expires: -1, httpOnly: true, secure: false, sameSite }
  })
  return { storageState: { cookies, origins: [] } }
}

/** The main part of a page: what the frame around it holds, too, is left aside. */
export const main = (page: Page) => page.getByRole('main')

/** The page's scripts with these names don't arrive until they are let go. */
export async function holdScripts(page: Page, names = /\/(htmx|app)\.js$/): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(names, (route) => promise.then(() => route.continue()))
  return resolve
}

/** A post's state as its page shows it. */
export const status = (page: Page, word: string) => main(page).locator('.page-header .status', { hasText: word })

const sameSite = 'Lax' as const

interface SignedUp {
  accessToken: string
  organization: { id: string }
}

async function call<Answer>(stage: Stage, route: string, { body, token }: { body?: unknown; token?: string }) {
  const [method, path] = route.split(' ')
  const response = await fetch(`${stage.server.url}${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${route} answered ${response.status}: ${text}`)
  const answer: Answer = text ? JSON.parse(text) : null
  return answer
}
