import type { Browser, Page } from 'playwright-core'
import { openDatabase } from '#lib/db.ts'
import { killRest } from '../boot/program.ts'
import { closeWindows, openBrowser, openPage } from '../support/browser.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { serve } from '../support/served.ts'
import { serveInProcess } from '../support/serve-in-process.ts'
import { newPerson, type Person } from './person.ts'

/** A server with its own database and a browser, for one test file. */
export interface TestSite {
  server: { url: string }
  browser: Browser
  database: TestDatabase
  close(): Promise<void>
}

interface OwnSite extends TestSite {
  /** Stops the server, and starts it at the same URL. */
  restart(): Promise<void>
}

/** Opens a stage; `env` is added to the environment of test servers. */
export async function openTestSite(env: Record<string, string> = {}): Promise<OwnSite> {
  const database = await freshDatabase()
  const start = (more?: Record<string, string>) =>
    serveInProcess({ databaseUrl: database.url, env: { ...env, ...more } })
  const [first, browser] = await Promise.all([start(), openBrowser()])
  const { url } = first
  let running = first
  const restart = async () => {
    await running.stop()
    running = await start({ PORT: new URL(url).port })
  }
  const close = async () => {
    await closeWindows(browser)
    await running.stop()
    await database.drop()
  }
  return { server: { url }, browser, database, restart, close }
}

/** Two servers, each a process, on one database, with one browser. `close` of either closes all. */
export async function openTwoServers(): Promise<{ first: TestSite; second: TestSite }> {
  const database = await freshDatabase()
  const [one, two, browser] = await Promise.all([
    serve({ databaseUrl: database.url }),
    serve({ databaseUrl: database.url }),
    openBrowser(),
  ])
  const close = async () => {
    await closeWindows(browser)
    await killRest()
    await database.drop()
  }
  const shared = { browser, database, close }
  return { first: { server: one, ...shared }, second: { server: two, ...shared } }
}

/** Opens a page as the person, and waits until it follows changes. */
export async function openFollowed(stage: TestSite, person: Person, path: string): Promise<Page> {
  const followed = Promise.withResolvers<void>()
  const { page } = await openAs(stage, person, '/api/health')
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => {
      if (String(payload).includes('"subscribed"')) followed.resolve()
    }),
  )
  await page.goto(stage.server.url + path)
  await followed.promise
  return page
}

/** A person with a brand and a sandbox account, created by the API. */
export interface Publisher {
  person: Person
  organizationId: string
  brandId: string
  handle: string
  /** Calls the API. @throws when the request is refused. */
  fetchJson<Answer>(route: string, body?: unknown): Promise<Answer>
  /** Opens a page in a new window; all windows share one sign-in. */
  open(path: string, options?: OpenOptions): Promise<OpenedPage>
  /** Sets how the sandbox network treats the account's next posts. */
  setBehavior(behavior: Record<string, unknown>): Promise<unknown>
}

export type OpenOptions = Omit<Parameters<typeof openPage>[1], 'url' | 'context'>
export type OpenedPage = Awaited<ReturnType<typeof openPage>>

interface PublisherOptions {
  brand?: string
  timeZone?: string
  handle?: string
  name?: string
  /** Whether the sandbox account is connected; by default it is. */
  connected?: boolean
}

/** Signs a person up with everything that publishing needs. */
export async function createPublisher(stage: TestSite, options: PublisherOptions = {}): Promise<Publisher> {
  const person = { ...newPerson(), ...(options.name && { name: options.name }) }
  const handle = options.handle ?? `acme-${Bun.randomUUIDv7('hex').slice(-10)}`
  const { workspace: organizationName, ...account } = person
  const registration = { ...account, createOrganization: true, organizationName }
  const { accessToken, organization } = await call<SignedUp>(stage, 'POST /register', { body: registration })
  const send = <Answer>(route: string, body?: unknown) => call<Answer>(stage, route, { body, token: accessToken })
  const brand = await send<{ id: string }>('POST /api/brands', {
    name: options.brand ?? 'Acme Coffee',
    timeZone: options.timeZone ?? 'Europe/Berlin',
  })
  if (options.connected !== false) await send('POST /api/integrations/sandbox/connect', { brandId: brand.id, handle })
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
    fetchJson: send,
    open: async (path, how) => openPage(stage.browser, { ...how, ...(await signedIn(path)) }),
    setBehavior: (behavior) => send(`PUT /dev/sandbox/api/accounts/${handle}/behavior`, behavior),
  }
}

/** Moves a person into the organization of another one, directly. */
export async function joinOrganization(
  stage: TestSite,
  { organizationId, person }: Publisher,
  owner: Publisher,
  role: 'admin' | 'editor' | 'reviewer',
): Promise<void> {
  const { sql, close } = openDatabase(stage.database.url, 1)
  const { email } = (await createPublisher(stage, { connected: false })).person
  // Every organization keeps an owner.
  await sql`INSERT INTO identity.memberships (organization_id, user_id, role, created_at)
    SELECT ${organizationId}, id, 'owner', now() FROM identity.users WHERE email = ${email}`
  await sql`UPDATE identity.memberships SET organization_id = ${owner.organizationId}, role = ${role}
    WHERE organization_id = ${organizationId} AND user_id = (SELECT id FROM identity.users WHERE email = ${person.email})`
  await close()
}

/** Opens a page signed in as the person, in a session of its own. */
export const openAs = async (
  stage: TestSite,
  person: Person,
  path: string,
  options: OpenOptions = {},
): Promise<OpenedPage> =>
  openPage(stage.browser, { ...options, url: stage.server.url + path, context: await signIn(stage, person) })

/** The browser storage of a signed-in person. */
async function signIn(stage: TestSite, { email, password }: Person) {
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

async function call<Answer>(stage: TestSite, route: string, { body, token }: { body?: unknown; token?: string }) {
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
