import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Locator, Page, Request } from 'playwright-core'
import { openPage } from '../support/browser.ts'
import { openAs, holdScripts, main, openTestSite, createPublisher, type Publisher, type TestSite } from './test-site.ts'
import { dashboardOf, newPerson, register, signIn } from './person.ts'

let stage: TestSite
let ada: Publisher
beforeAll(async () => {
  stage = await openTestSite()
  ada = await createPublisher(stage)
})
afterAll(() => stage.close())

const visit = (path: string, expected: number[] = []) =>
  openPage(stage.browser, { url: stage.server.url + path, expected })

test('IDN-03 PLT-21 sign-out ends the session, and signing in again redirects to the requested page', async () => {
  const { page, errors } = await openAs(stage, ada.person, '/workspace/posts')
  await page.getByRole('button', { name: /^Account:/ }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in to Atrium' }).waitFor()

  await page.goto(`${stage.server.url}/workspace/accounts?brandId=${ada.brandId}`)
  await page.getByRole('heading', { name: 'Sign in to Atrium' }).waitFor()
  await signIn(page, ada.person)
  await page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor()
  await page.getByText(`@${ada.handle}`, { exact: true }).waitFor()
  expect(errors).toEqual([])
})

test('IDN-04 PLT-22 form submitted before the scripts load works and shows no password in a URL', async () => {
  const { page } = await visit('/login')
  await page.route(/\/assets\/.*\.js$/, (route) => route.abort())
  const addresses: string[] = []
  page.on('request', (request) => addresses.push(request.url()))
  await page.reload()
  await signIn(page, ada.person)
  await dashboardOf(page).waitFor()
  expect(addresses.filter((address) => !address.includes('/assets/')).join()).not.toContain('password')
})

test('PLT-06 PLT-22 forms that update and delete work without scripts', async () => {
  const { page } = await ada.open('/login')
  await page.route(/\/assets\/.*\.js$/, (route) => route.abort())
  await page.goto(`${stage.server.url}/settings/organization`)
  const name = page.getByRole('textbox', { name: 'Name', exact: true })
  await name.fill('Renamed without scripts')
  await Promise.all([page.waitForEvent('load'), name.press('Enter')])
  expect(await name.getAttribute('value')).toBe('Renamed without scripts')

  await page.goto(`${stage.server.url}/settings/profile`)
  await page.getByRole('button', { name: 'Delete account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' })
  await dialog.getByLabel('Email address').fill(ada.person.email)
  await dialog.getByLabel('Password').fill('wrong horse battery')
  await dialog.getByRole('button', { name: 'Delete account' }).click()
  await page.waitForURL(/\/api\/auth\/me/)
  await page.getByText('Incorrect password').waitFor()
})

test('IDN-04 PLT-22 form works and shows no password in a URL when only htmx loads', async () => {
  const { page } = await visit('/login')
  await page.route(/\/js\/app\.js$/, (route) => route.abort())
  const sent: Request[] = []
  // The widgets of the dashboard are read with POST, too.
  const isForm = (request: Request) => request.method() === 'POST' && !request.url().endsWith('/api/widgets')
  page.on('request', (request) => isForm(request) && sent.push(request))
  await page.reload()
  await signIn(page, ada.person)
  await dashboardOf(page).waitFor()
  expect(sent.map((request) => request.isNavigationRequest())).toEqual([true])
  expect(sent.map((request) => request.url()).join()).not.toContain('password')
})

test('PLT-22 action taken before the scripts load runs exactly once after they load', async () => {
  const { page, errors } = await ada.open('/workspace/posts', { expected: [422] })
  const sent: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (request.resourceType() === 'fetch' && !pathname.startsWith('/api/live'))
      sent.push(`${request.method()} ${pathname}${search}`)
  })
  /** Acts on a page whose scripts are held, and waits for the response after they load. */
  const early = async (path: string, act: () => Promise<void>, scripts?: RegExp) => {
    // The page before no longer refreshes itself.
    await page.goto('about:blank')
    sent.length = 0
    const letGo = await holdScripts(page, scripts)
    await page.goto(stage.server.url + path, { waitUntil: 'commit' })
    await act()
    expect(sent).toEqual([])
    const answered = page.waitForResponse((response) => response.request().resourceType() === 'fetch')
    letGo()
    await answered
    await page.unrouteAll({ behavior: 'wait' })
  }

  const deleting = async () => {
    await page.getByRole('button', { name: 'Delete account' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete your account?' })
    await dialog.getByLabel('Email address').fill(ada.person.email)
    await dialog.getByLabel('Password').fill('wrong horse battery')
    await dialog.getByRole('button', { name: 'Delete account' }).click()
  }
  for (const scripts of [undefined, /\/app\.js$/]) {
    await early('/settings/profile', deleting, scripts)
    await page.getByRole('dialog').locator('[aria-invalid=true]:focus').waitFor()
    expect(sent).toEqual(['DELETE /api/auth/me'])
  }

  await early('/workspace/posts', async () => {
    await page.getByRole('button', { name: /^Account:/ }).click()
    await page.getByRole('button', { name: 'Dark' }).click()
  })
  await page.locator('html[data-theme=dark]').waitFor()
  expect(sent).toEqual(['PUT /api/app-switcher/preferences'])

  await posted()
  await early(`/workspace/posts?brandId=${ada.brandId}`, async () => {
    await page.getByLabel('Network').selectOption('sandbox')
  })
  await page.getByRole('link', { name: 'Clear filters' }).waitFor()
  expect(sent.filter((request) => request.includes('provider=sandbox'))).toHaveLength(1)
  expect(errors).toEqual([])
})

test('input that the browser rejects is reported on its field, like input that the server rejects, until it changes', async () => {
  const { page, errors } = await visit('/login')
  const sent: string[] = []
  page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()))
  const email = page.getByLabel('Email')
  const message = page.locator('#email-error')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  expect(await message.innerText()).toBe('Required.')
  expect(await page.locator('#password-error').innerText()).toBe('Required.')
  expect(await email.evaluate((field) => field === document.activeElement)).toBe(true)
  await email.fill('ada')
  expect(await message.isVisible()).toBe(false)
  await email.press('Enter')
  expect(await message.innerText()).toBe('Enter an email address, such as ada@example.com.')
  expect([sent, errors]).toEqual([[], []])
})

test('form error is hidden when every message is shown on its field, and disappears on the next input', async () => {
  const { page, errors } = await visit('/register', [422, 409])
  await register(page, { ...ada.person, password: 'password', workspace: 'Other' })
  await page.locator('#password:focus').waitFor()
  expect(await page.locator('#password-error').isVisible()).toBe(true)
  expect(await page.getByRole('alert').count()).toBe(0)
  expect(errors).toEqual([])

  await page.goto(`${stage.server.url}/login`)
  const body = '<form-problem><p role="alert">Too many attempts</p></form-problem>'
  await page.route('**/api/auth/login', (route) => route.fulfill({ status: 422, contentType: 'text/html', body }))
  await signIn(page, ada.person)
  await page.getByRole('alert').waitFor()
  await page.getByLabel('Password', { exact: true }).press('End')
  await page.keyboard.type('x')
  expect(await page.getByRole('alert').count()).toBe(0)
})

test.each([
  ['sign-in page', () => '/login'],
  ['composer', () => `/workspace/posts/new?brandId=${ada.brandId}`],
  ['composer of a draft', async () => `/workspace/posts/${(await posted()).id}/edit`],
  ['security settings', () => '/settings/security'],
])('%s doesn’t move while its parts, scripts and font arrive', async (_, path) => {
  await using slow = serveSlowly(stage.server.url)
  const address = await path()
  const { page } = address === '/login' ? await visit('/login') : await ada.open('/login')
  await page.setViewportSize({ width: 412, height: 1200 })
  await page.goto(new URL(address, slow.url).href)
  const shift = await page.evaluate(async () => {
    let sum = 0
    const add = (entries: PerformanceEntryList) => {
      for (const entry of entries) sum += 'value' in entry ? Number(entry.value) : 0
    }
    const observer = new PerformanceObserver((list) => add(list.getEntries()))
    observer.observe({ type: 'layout-shift', buffered: true })
    await document.fonts.ready
    await new Promise((resolve) => setTimeout(resolve, 200))
    return sum
  })
  expect(shift).toBe(0)
})

/**
 * A proxy that sends the second half of each page, its elements' scripts and the font later, when a browser could have drawn
 * the rest: on a busy machine the parser pauses, too.
 */
function serveSlowly(target: string) {
  return Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async ({ url, headers, method, body: sent }) => {
      const { pathname, search } = new URL(url)
      headers.set('accept-encoding', 'identity')
      const answer = await fetch(target + pathname + search, { method, headers, body: sent })
      if (/\.woff2$|\/js\/elements\//.test(pathname)) await Bun.sleep(500)
      if (!answer.headers.get('content-type')?.startsWith('text/html')) return answer
      const html = await answer.text()
      const half = html.lastIndexOf('</form>')
      const body = new ReadableStream<string>({
        start: async (controller) => {
          controller.enqueue(html.slice(0, half))
          await Bun.sleep(300)
          controller.enqueue(html.slice(half))
          controller.close()
        },
      })
      answer.headers.delete('content-length')
      return new Response(body.pipeThrough(new TextEncoderStream()), answer)
    },
  })
}

test('IDN-02 wrong password is reported on the same page and keeps the typed text', async () => {
  const { page, errors } = await visit('/login', [401])
  await signIn(page, { ...ada.person, password: 'wrong horse battery' })
  await page.locator('#password[aria-invalid=true]:focus').waitFor()
  await page.getByText('Incorrect email or password.').waitFor()
  expect(await page.getByLabel('Email').inputValue()).toBe(ada.person.email)

  await page.getByLabel('Password', { exact: true }).fill(ada.person.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await dashboardOf(page).waitFor()
  expect(errors).toEqual([])
})

test('IDN-01 taken address is reported on the same page with a link to sign in', async () => {
  const { page, errors } = await visit('/register', [409])
  await register(page, { ...newPerson(), email: ada.person.email })
  await page
    .getByText(/already|taken/i)
    .first()
    .waitFor()
  expect(errors).toEqual([])
})

const posted = () =>
  ada.fetchJson<{ id: string }>('POST /api/posts', { brandId: ada.brandId, provider: 'sandbox', text: 'x' })
const field = (page: Page, label: string): Locator =>
  page.getByLabel(label, { exact: true }).and(page.locator(':visible'))

/** Each form: its page, input that only the server can refuse, and the field with the error. */
const forms: [string, 'signed in' | 'signed out', (page: Page) => Promise<void>, string][] = [
  [
    'sign-up',
    'signed out',
    async (page) => {
      await page.getByRole('link', { name: 'Create an organization' }).click()
      await register(page, { ...newPerson(), workspace: '   ' })
    },
    'Organization',
  ],
  [
    'new brand',
    'signed in',
    async (page) => {
      await page.getByRole('button', { name: /^Brand:/ }).click()
      await page.getByRole('button', { name: 'New brand' }).click()
      await page.getByRole('dialog').getByLabel('Name').fill('   ')
      await page.getByRole('button', { name: 'Create brand' }).click()
    },
    'Name',
  ],
  [
    'composer, text',
    'signed in',
    async (page) => {
      await page.getByRole('link', { name: 'New post' }).click()
      await page.getByRole('button', { name: 'Schedule', exact: true }).click()
    },
    'Text',
  ],
  [
    'composer, time',
    'signed in',
    async (page) => {
      await page.getByRole('link', { name: 'New post' }).click()
      await field(page, 'Text').fill('Late')
      await field(page, 'Date').fill('2020-01-31')
      await page.getByRole('button', { name: 'Schedule', exact: true }).click()
    },
    'Date',
  ],
  [
    'composer of an edited post',
    'signed in',
    async (page) => {
      await page.goto(`${stage.server.url}/workspace/posts/${(await posted()).id}/edit`)
      await field(page, 'Text').fill('')
      await main(page).getByRole('button', { name: 'Save draft' }).click()
    },
    'Text',
  ],
]
test.each(forms)(
  'PLT-10 PLT-40 error of form %s is shown on its field, which has the focus',
  async (_, who, fill, label) => {
    const expected = [401, 422]
    const { page, errors } =
      who === 'signed in' ? await ada.open('/workspace/posts', { expected }) : await visit('/login', expected)
    await fill(page)
    await page.locator('[aria-invalid=true]:focus').waitFor()
    const blamed = field(page, label)
    expect(await blamed.evaluate((element) => element === document.activeElement)).toBe(true)
    const message = await blamed.evaluate((element) =>
      (element.getAttribute('aria-describedby') ?? '')
        .split(' ')
        .map((id) => document.getElementById(id))
        .filter((each) => each?.classList.contains('error') && each.checkVisibility())
        .map((each) => each?.textContent?.trim())
        .join(),
    )
    expect(message.length).toBeGreaterThan(5)
    expect(errors).toEqual([])
  },
)
