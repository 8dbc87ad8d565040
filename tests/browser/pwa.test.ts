import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { axe, openPage } from '../support/browser.ts'
import { newPerson, register, signIn } from './person.ts'
import { main, openTestSite, type TestSite } from './test-site.ts'

let stage: TestSite
beforeAll(async () => {
  stage = await openTestSite()
})
afterAll(() => stage.close())

const at = (path: string) => stage.server.url + path

/** A page of a new person, once the worker serves it. */
async function openInstalled(options: { scheme?: 'light' | 'dark' } = {}) {
  const opened = await openPage(stage.browser, {
    ...options,
    url: at('/register'),
    expected: [503],
    context: { serviceWorkers: 'allow' },
  })
  const person = newPerson()
  await register(opened.page, person)
  await opened.page.waitForURL((url) => url.pathname !== '/register')
  await opened.page.goto(at('/dashboard'))
  await main(opened.page).getByRole('heading', { level: 1 }).waitFor()
  await controlled(opened.page)
  return { ...opened, person }
}

const controlled = (page: Page) => page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated')

interface Kept {
  path: string
  type: string
}

const keptFiles = (page: Page): Promise<Kept[]> =>
  page.evaluate(async () => {
    const found = []
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const request of await cache.keys()) {
        const response = await cache.match(request, { ignoreVary: true })
        found.push({ path: new URL(request.url).pathname, type: response?.headers.get('content-type') ?? '' })
      }
    }
    return found
  })

const offline = (page: Page) => page.getByRole('heading', { name: 'You’re offline' })

test('DSH-23 Chromium finds nothing that prevents the installation', async () => {
  const { page, errors } = await openInstalled()
  const session = await page.context().newCDPSession(page)
  const manifest = await session.send('Page.getAppManifest')
  expect(manifest.url).toBe(at('/manifest.webmanifest'))
  expect(manifest.errors).toEqual([])
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors')
  const reasons = installabilityErrors.map(({ errorId }) => errorId)
  // Each test has a window like a private one.
  expect(reasons.filter((reason) => reason !== 'in-incognito')).toEqual([])
  expect(errors).toEqual([])
  await page.close()
})

test.each(['light', 'dark'] as const)(
  'DSH-23 page without a connection says so (%s), and opens by itself',
  async (scheme) => {
    const { page, errors } = await openInstalled({ scheme })
    await page.context().setOffline(true)
    await page.goto(at('/apps'))
    await offline(page).waitFor()
    const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    expect(background).toBe(scheme === 'light' ? 'rgb(255, 255, 255)' : 'rgb(17, 21, 23)')
    expect(await axe(page)).toEqual([])
    await page.getByRole('button', { name: 'Retry' }).press('Enter')
    await offline(page).waitFor()
    expect(new URL(page.url()).pathname).toBe('/apps')

    await page.context().setOffline(false)
    await main(page).getByRole('heading', { name: 'Apps', level: 1 }).waitFor()
    expect(errors.filter((error) => !error.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([])
    await page.close()
  },
)

test('DSH-23 nothing but files of the release is kept, and signing out deletes them', async () => {
  const { page } = await openInstalled()
  for (const path of ['/apps', '/actions', '/dashboard', '/settings/profile']) await page.goto(at(path))
  await page.evaluate(() => fetch('/api/catalog'))
  await page.waitForFunction(async () => (await caches.keys()).length === 1)
  const kept = await keptFiles(page)
  expect(kept.length).toBeGreaterThan(3)
  for (const { path, type } of kept) {
    expect(path).toMatch(/^\/assets\/[0-9a-f]{12}\//)
    expect(type).not.toMatch(/html|json/)
  }
  expect(kept.map(({ path }) => path.split('/').at(-1))).toContain('settings.css')

  await page.getByRole('button', { name: /^Account:/ }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL('**/login**')
  expect((await keptFiles(page)).map(({ path }) => path.split('/').at(-1))).not.toContain('settings.css')
  await page.close()
})

test('DSH-23 second person on the same browser never sees a page of the first, also offline', async () => {
  const { page, person } = await openInstalled()
  const { person: second, page: other } = await openInstalled()
  await other.close()
  await page.getByRole('button', { name: /^Account:/ }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL('**/login**')
  await page.context().setOffline(true)
  await page.goto(at('/dashboard'))
  await offline(page).waitFor()
  expect(await page.content()).not.toContain(person.workspace)
  await page.context().setOffline(false)
  await page.getByLabel('Email', { exact: true }).waitFor()
  await signIn(page, second)
  await main(page).getByRole('heading', { level: 1 }).waitFor()
  await page.context().setOffline(true)
  await page.goto(at('/dashboard'))
  await offline(page).waitFor()
  expect(await page.content()).not.toContain(person.workspace)
  await page.close()
})

test('DSH-23 pages of visitors register no worker', async () => {
  const { page, errors } = await openPage(stage.browser, { url: at('/login'), context: { serviceWorkers: 'allow' } })
  await page.waitForLoadState('networkidle')
  expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0)
  expect(errors).toEqual([])
  await page.close()
})

test('DSH-23 new release deletes the files of earlier ones, and no page reloads for it', async () => {
  const context = { serviceWorkers: 'allow' as const }
  const { page, errors } = await openPage(stage.browser, { url: at('/register'), context })
  await page.evaluate(async () => {
    const earlier = await caches.open('assets-000000000000')
    await earlier.put(
      '/assets/000000000000/js/app.js',
      new Response('', { headers: { 'content-type': 'text/javascript' } }),
    )
  })
  await register(page, newPerson())
  await page.waitForURL((url) => url.pathname !== '/register')
  let loads = 0
  page.on('load', () => (loads += 1))
  await page.goto(at('/dashboard'))
  await controlled(page)
  await page.waitForFunction(async () => !(await caches.keys()).includes('assets-000000000000'))
  expect((await keptFiles(page)).filter(({ path }) => path.includes('/000000000000/'))).toEqual([])
  expect(loads).toBe(1)
  expect(errors).toEqual([])
  await page.close()
})

test('DSH-23 form sent without a connection keeps its input and says why', async () => {
  const { page } = await openInstalled()
  await page.goto(at('/settings/profile'))
  const name = main(page).locator('#name')
  await name.fill('Grace Hopper')
  await page.context().setOffline(true)
  await name.press('Enter')
  await page.getByText('Couldn’t reach Atrium').waitFor()
  expect(await name.inputValue()).toBe('Grace Hopper')
  await page.close()
})
