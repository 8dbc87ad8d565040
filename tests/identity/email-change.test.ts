import { afterAll, beforeAll, expect, test } from 'bun:test'
import { newId } from '#lib/ids.ts'
import { password, tokenIn } from '../support/world.ts'
import { bearer, type IdentityServer, json, openIdentity } from './server.tsx'

let server: IdentityServer

beforeAll(async () => {
  server = await openIdentity()
})

afterAll(() => server.stop())

const address = () => `${newId()}@example.com`

async function someone() {
  const email = address()
  const { accessToken } = await json(await server.fetch('POST /register', { email, password, name: 'Ada' }))
  const send = (route: string, body?: unknown) => server.fetch(route, body, bearer(accessToken))
  return {
    email,
    wants: (options: string, proof: object = { password }) =>
      send('POST /api/auth/me/email', { email: options, ...proof }),
    cancels: () => send('DELETE /api/auth/me/email'),
    isCalled: async () => (await json(await send('GET /api/auth/me'))).user.email,
  }
}

const follows = (token: string) => server.fetch('POST /api/auth/email-change/confirm', { token })
const look = (token: string, method = 'GET') =>
  server.fetch(`${method} /email-change/${token}`, undefined, { accept: 'text/html' })
const tokenFor = async (email: string) => tokenIn((await server.mails(email))[0])
const signsIn = async (email: string) => (await server.fetch('POST /api/auth/login', { email, password })).status

test.each([['the old mailbox first'], ['the new mailbox first']])(
  'IDN-08 email address changes once both addresses have confirmed it, %s, and sessions stay active',
  async (order) => {
    const ada = await someone()
    const options = address()
    const requested = await ada.wants(options.toUpperCase())
    expect([requested.status, await requested.json()]).toEqual([202, { status: 'confirmation_sent', email: options }])
    const links = [await tokenFor(ada.email), await tokenFor(options)]
    if (order.startsWith('the new')) links.reverse()
    const [first = '', second = ''] = links
    expect(await (await follows(first)).json()).toEqual({ status: 'waiting', email: options })
    expect((await follows(first)).status).toBe(404)
    expect([await signsIn(ada.email), await signsIn(options), await ada.isCalled()]).toEqual([200, 401, ada.email])
    expect(await (await follows(second)).json()).toEqual({ status: 'changed', email: options })
    expect([await signsIn(ada.email), await signsIn(options), await ada.isCalled()]).toEqual([401, 200, options])
    expect((await server.mails(ada.email))[0]?.text).toContain('The email address for your Atrium account was changed')
    for (const link of links) expect((await follows(link)).status).toBe(404)
  },
)

test('IDN-08 confirmation links followed at the same time change the address once', async () => {
  const ada = await someone()
  const options = address()
  await ada.wants(options)
  const links = [await tokenFor(ada.email), await tokenFor(options)]
  const answers = await Promise.all([...links, ...links].map(follows))
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 404, 404])
  expect(await ada.isCalled()).toBe(options)
})

test('IDN-08 change to a registered address gets the same response as one to an unused address, and fails', async () => {
  const [ada, bob] = [await someone(), await someone()]
  const [free, taken] = [await ada.wants(address()), await ada.wants(bob.email)]
  const shape = async (response: Response) => [response.status, { ...(await json(response)), email: null }]
  expect(await shape(taken)).toEqual(await shape(free))
  const [letter] = await server.mails(bob.email)
  expect(letter?.subject).toBe('You already have an Atrium account')
  expect(letter?.text).not.toContain('/email-change/')
  expect(await (await follows(await tokenFor(ada.email))).json()).toMatchObject({ status: 'waiting' })
  expect(await ada.isCalled()).toBe(ada.email)
})

test('IDN-08 change to an address that was registered in the meantime is rejected entirely', async () => {
  const ada = await someone()
  const options = address()
  await ada.wants(options)
  const [old, fresh] = [await tokenFor(ada.email), await tokenFor(options)]
  await follows(old)
  await server.fetch('POST /register', { email: options, password, name: 'Bob' })
  for (const _ of [1, 2]) {
    const refused = await follows(fresh)
    expect(refused.status).toBe(409)
    expect(await refused.json()).toMatchObject({ code: 'email_taken' })
  }
  expect(await ada.isCalled()).toBe(ada.email)
})

test('IDN-08 email change is not confirmed by a scanner that follows both links', async () => {
  const ada = await someone()
  const options = address()
  await ada.wants(options)
  for (const token of [await tokenFor(ada.email), await tokenFor(options)])
    for (const method of ['GET', 'HEAD', 'GET']) {
      const page = await look(token, method)
      expect([page.status, page.headers.get('referrer-policy')]).toEqual([200, 'no-referrer'])
    }
  expect(await ada.isCalled()).toBe(ada.email)
})

test('IDN-08 email change requires the password and an address that differs from the current one', async () => {
  const ada = await someone()
  for (const proof of [{}, { password: 'wrong' }]) expect((await ada.wants(address(), proof)).status).toBe(422)
  expect((await ada.wants(ada.email.toUpperCase())).status).toBe(422)
  expect(await server.mails(ada.email)).toEqual([])
})

test('IDN-08 email change links become invalid after a newer request, a cancellation or one day', async () => {
  const ada = await someone()
  const [first, second, third] = [address(), address(), address()]
  await ada.wants(first)
  const links = [await tokenFor(first), await tokenFor(ada.email)]
  await ada.wants(second)
  for (const link of links) expect((await follows(link)).status).toBe(404)
  expect((await ada.cancels()).status).toBe(204)
  expect((await follows(await tokenFor(second))).status).toBe(404)
  await ada.wants(third)
  server.clock.ahead = 24 * 60 * 60 * 1000 + 1000
  expect((await follows(await tokenFor(third))).status).toBe(404)
  server.clock.ahead = 0
})
