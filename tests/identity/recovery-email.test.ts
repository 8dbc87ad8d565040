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
  const route = '/api/auth/me/recovery-email'
  return {
    email,
    sets: (recovery: string | null, proof: object = { password }) =>
      send(`PUT ${route}`, { email: recovery, ...proof }),
    has: async () => (await send(`GET ${route}`)).json(),
  }
}

const follows = (token: string) => server.fetch('POST /api/auth/recovery-email/confirm', { token })
const look = (token: string, method = 'GET') =>
  server.fetch(`${method} /recovery-email/${token}`, undefined, { accept: 'text/html' })
const tokenFor = async (email: string) => tokenIn((await server.mails(email))[0])

test('IDN-07 recovery email is missing, then pending, then verified by its emailed link', async () => {
  const ada = await someone()
  expect(await ada.has()).toEqual({ status: 'missing', email: null })
  const recovery = address()
  const set = await ada.sets(recovery.toUpperCase())
  expect([set.status, await set.json()]).toEqual([200, { status: 'pending', email: recovery }])
  expect(await ada.has()).toEqual({ status: 'pending', email: recovery })
  const token = await tokenFor(recovery)
  for (const method of ['GET', 'HEAD', 'GET']) {
    const page = await look(token, method)
    expect([page.status, page.headers.get('referrer-policy')]).toEqual([200, 'no-referrer'])
  }
  expect(await ada.has()).toMatchObject({ status: 'pending' })
  const answers = await Promise.all([follows(token), follows(token)])
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404])
  expect(await ada.has()).toEqual({ status: 'verified', email: recovery })
  expect((await look(token)).status).toBe(404)
})

test('IDN-07 sign-in address is emailed about a new recovery email and can’t be the recovery email itself', async () => {
  const ada = await someone()
  const recovery = address()
  await ada.sets(recovery)
  expect((await server.mails(ada.email))[0]?.text).toContain('A new recovery email was entered')
  expect((await ada.sets(ada.email.toUpperCase())).status).toBe(422)
  expect(await ada.has()).toEqual({ status: 'pending', email: recovery })
})

test('IDN-07 recovery email requires the password, and wrong guesses are slowed down', async () => {
  const ada = await someone()
  expect((await ada.sets(address(), { password: 'wrong' })).status).toBe(422)
  for (const proof of [{}, { password: '' }, { password: 'wrong' }, { code: '123456' }])
    expect((await ada.sets(address(), proof)).status).toBe(422)
  const guesses = []
  for (let time = 0; time < 5; time++) guesses.push((await ada.sets(address(), { password: 'wrong' })).status)
  expect(guesses).toEqual([422, 422, 422, 429, 429])
  expect(await ada.has()).toEqual({ status: 'missing', email: null })
})

test('IDN-07 IDN-08 reset link is emailed to a verified recovery email', async () => {
  const ada = await someone()
  const recovery = address()
  await ada.sets(recovery)
  const link = await tokenFor(recovery)
  const reset = () => server.fetch('POST /api/auth/password-reset', { email: ada.email })
  await reset()
  expect(await server.mails(recovery)).toHaveLength(1)
  await follows(link)
  await reset()
  const [mail] = await server.mails(recovery)
  expect(mail?.subject).toBe('Reset your Atrium password')
  const body = { token: tokenIn(mail), password: 'another horse battery' }
  expect((await server.fetch('POST /api/auth/password-reset/confirm', body)).status).toBe(204)
})

test('IDN-07 new recovery email replaces the previous one and its link, and an empty value removes it', async () => {
  const ada = await someone()
  const [first, second] = [address(), address()]
  await ada.sets(first)
  const link = await tokenFor(first)
  await ada.sets(second)
  expect((await follows(link)).status).toBe(404)
  expect((await follows(await tokenFor(second))).status).toBe(200)
  expect(await (await ada.sets(second)).json()).toEqual({ status: 'verified', email: second })
  expect(await (await ada.sets(null)).json()).toEqual({ status: 'missing', email: null })
  expect((await server.mails(second))[0]?.text).toContain('The recovery email for your Atrium account was removed')
})

test('IDN-07 recovery link expires after 24 hours', async () => {
  const ada = await someone()
  const recovery = address()
  await ada.sets(recovery)
  const token = await tokenFor(recovery)
  server.clock.ahead = 24 * 60 * 60 * 1000 + 1000
  expect([(await follows(token)).status, (await look(token)).status]).toEqual([404, 404])
  server.clock.ahead = 0
})

test('IDN-07 recovery email receives a limited number of emails', async () => {
  const ada = await someone()
  const recovery = address()
  const answers = []
  for (let time = 0; time < 4; time++) answers.push((await ada.sets(recovery)).status)
  expect(answers).toEqual([200, 200, 200, 429])
  expect(await server.mails(recovery)).toHaveLength(3)
})
