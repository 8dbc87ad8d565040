import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { killRest } from '../boot/program.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { serveInProcess, type Server } from '../support/serve-in-process.ts'
import { serve, serveSandboxProcess, stagingNetworks } from '../support/served.ts'

let database: TestDatabase
let server: Server
const networks: Record<string, string> = {}

beforeAll(async () => {
  database = await freshDatabase()
  server = await serveInProcess({ databaseUrl: database.url })
  networks['in the server'] = server.url
  networks['as a process of its own'] = (await serveSandboxProcess(database.url)).url
})

afterAll(async () => {
  await Promise.all([server.stop(), killRest()])
  await database.drop()
})

interface Answer {
  id: string
  url: string
  mode: string
  times?: number
  items: { id: string; text: string; replyTo: string | null; receivedAt: string }[]
}

describe.each(['in the server', 'as a process of its own'])('the sandbox network %s', (where) => {
  let count = 0
  const newAccount = () => `${networks[where]}/dev/sandbox/api/accounts/a${++count}-${where.length}`
  const send = (account: string, body: object, init: RequestInit = {}) =>
    fetch(`${account}/posts`, { method: 'POST', body: JSON.stringify(body), ...json, ...init })
  const behave = (account: string, behavior: object) =>
    fetch(`${account}/behavior`, { method: 'PUT', body: JSON.stringify(behavior), ...json })
  const received = async (account: string, query = '') =>
    ((await (await fetch(`${account}/posts${query}`)).json()) as Answer).items

  test('SOC-08 stores every post as a separate receipt, oldest first', async () => {
    const account = newAccount()
    const first = await send(account, { text: 'One', replyTo: null })
    expect(first.status).toBe(201)
    const { id, url } = (await first.json()) as Answer
    expect(url).toEndWith(`#post-${id}`)
    await send(account, { text: 'One', replyTo: id })
    expect(await received(account)).toMatchObject([
      { id, text: 'One', replyTo: null },
      { text: 'One', replyTo: id },
    ])
  })

  test('SOC-08 lists posts since a time (inclusive)', async () => {
    const account = newAccount()
    await send(account, { text: 'Earlier' })
    await Bun.sleep(5)
    await send(account, { text: 'Later' })
    const [earlier, later] = await received(account)
    const since = (time = '') => received(account, `?since=${encodeURIComponent(time)}`)
    expect(await since(earlier?.receivedAt)).toHaveLength(2)
    expect(await since(later?.receivedAt)).toMatchObject([{ text: 'Later' }])
  })

  test('SOC-08 fails with the configured status, as often as configured', async () => {
    const account = newAccount()
    await behave(account, { mode: 'fail', status: 503, times: 2 })
    const answers = [await send(account, hello), await send(account, hello), await send(account, hello)]
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 201])
    expect(await received(account)).toHaveLength(1)
  })

  test('SOC-08 assigns unique times to simultaneous posts', async () => {
    const account = newAccount()
    await behave(account, { mode: 'fail', times: 5 })
    const answers = await Promise.all(Array.from({ length: 12 }, () => send(account, hello)))
    expect(answers.filter(({ status }) => status === 500)).toHaveLength(5)
    expect(await received(account)).toHaveLength(7)
  })

  test('SOC-08 throttles with Retry-After until the behavior is changed', async () => {
    const account = newAccount()
    await behave(account, { mode: 'rate_limit', retryAfter: 7 })
    for (const answer of [await send(account, hello), await send(account, hello)]) {
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '7'])
    }
    await behave(account, { mode: 'ok' })
    expect((await send(account, hello)).status).toBe(201)
  })

  test('SOC-08 in timeout mode, stores nothing and never responds', async () => {
    const account = newAccount()
    await behave(account, { mode: 'timeout' })
    await expect(send(account, hello, { signal: AbortSignal.timeout(400) })).rejects.toThrow('timed out')
    expect(await received(account)).toEqual([])
  })

  test('SOC-08 in lose_answer mode, stores the post and closes the connection', async () => {
    const account = newAccount()
    await behave(account, { mode: 'lose_answer' })
    expect(
      await send(account, hello).then(
        () => 'answered',
        () => 'cut',
      ),
    ).toBe('cut')
    expect(await received(account)).toHaveLength(1)
  })

  test('SOC-08 delays the response, but not the receipt', async () => {
    const account = newAccount()
    await behave(account, { mode: 'ok', latencyMs: 400 })
    expect((await send(account, hello)).status).toBe(201)
    const answeredAt = Date.now()
    const [receipt] = await received(account)
    // Timers can be early by less than a millisecond.
    expect(answeredAt - Date.parse(receipt?.receivedAt ?? '')).toBeGreaterThanOrEqual(399)
  })

  test('SOC-08 can be made unreadable permanently', async () => {
    const account = newAccount()
    await behave(account, { mode: 'lose_answer', readBack: false, times: 1 })
    expect((await fetch(`${account}/posts`)).ok).toBeFalse()
    await send(account, hello).catch(() => {})
    expect((await fetch(`${account}/posts`)).ok).toBeFalse()
  })

  test('SOC-08 returns its behavior with the remaining count', async () => {
    const account = newAccount()
    const behavior = async () => (await (await fetch(`${account}/behavior`)).json()) as Answer
    expect(await behavior()).toEqual({ mode: 'ok' } as Answer)
    await behave(account, { mode: 'fail', times: 3 })
    await send(account, hello)
    expect(await behavior()).toMatchObject({ mode: 'fail', times: 2 })
  })

  test('SOC-08 names the invalid field of a post, a behavior or a handle', async () => {
    const account = newAccount()
    expect((await send(account, { text: '' })).status).toBe(422)
    expect((await behave(account, { mode: 'explode' })).status).toBe(422)
    expect((await fetch(`${networks[where]}/dev/sandbox/api/accounts/Not%20a%20handle/posts`)).status).toBe(404)
  })
})

const json = { headers: { 'content-type': 'application/json' } }
const hello = { text: 'Hello' }

test('SOC-08 shows received posts on a public timeline page', async () => {
  const account = `${networks['in the server']}/dev/sandbox/api/accounts/shown`
  await fetch(`${account}/posts`, { method: 'POST', body: JSON.stringify({ text: '<b>Shown</b>' }), ...json })
  const page = await fetch(`${networks['in the server']}/dev/sandbox/shown`, { headers: { accept: 'text/html' } })
  expect(page.status).toBe(200)
  expect(await page.text()).toContain('&lt;b&gt;Shown')
})

test('SOC-08 has no route in staging and production', async () => {
  const deployed = { PUBLIC_URL: 'https://atrium.example', SMTP_URL: 'smtp://127.0.0.1:1', ...stagingNetworks }
  for (const ATRIUM_ENV of ['staging', 'production']) {
    const { url, kill } = await serve({ databaseUrl: database.url, env: { ATRIUM_ENV, ...deployed } })
    const api = `${url}/dev/sandbox/api/accounts/acme`
    const answers = [
      await fetch(`${url}/dev/sandbox/acme`),
      await fetch(`${api}/posts`),
      await fetch(`${api}/posts`, { method: 'POST', body: JSON.stringify(hello), ...json }),
      await fetch(`${api}/behavior`),
      await fetch(`${api}/behavior`, { method: 'PUT', body: JSON.stringify({ mode: 'ok' }), ...json }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404])
    kill('SIGTERM')
  }
})
