import type { Browser, Page } from 'playwright-core'
import { closeWindows, openBrowser, openPage } from '../support/browser.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { serveHere } from '../support/served-here.ts'
import { newPerson, type Person } from './visitor.ts'

/** A server with its own database and a browser, for one test file. */
export interface Stage {
  server: { url: string }
  browser: Browser
  database: TestDatabase
  close(): Promise<void>
}

/** Opens a stage; `env` is added to the environment of test servers. */
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

/** A person with a brand and a sandbox account, created by the API. */
export interface Owner {
  person: Person
  organizationId: string
  brandId: string
  handle: string
  /** Calls the API. @throws when the request is refused. */
  ask<Answer>(route: string, body?: unknown): Promise<Answer>
  /** Opens a page in a new window; all windows share one sign-in. */
  enter(path: string, options?: Entering): Promise<Entered>
  /** Sets how the sandbox network treats the account's next posts. */
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

/** Signs a person up with everything that publishing needs. */
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

/** Opens a page signed in as the person, in a session of its own. */
export const enter = async (stage: Stage, person: Person, path: string, options: Entering = {}): Promise<Entered> =>
  openPage(stage.browser, { ...options, url: stage.server.url + path, context: await signIn(stage, person) })

/** The browser storage of a signed-in person. */
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

/** The main part of a page, without the frame. */
export const main = (page: Page) => page.getByRole('main')

/** Holds the page's scripts with these names until the returned function is called. */
export async function holdScripts(page: Page, names = /\/(htmx|app)\.js$/): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(names, (route) => promise.then(() => route.continue()))
  return resolve
}

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
