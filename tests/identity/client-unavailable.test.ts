import { expect, test } from 'bun:test'
import { Problem } from '#lib/errors.ts'
import { createIdentityClient } from '../../src/identity/client/create-client.ts'

const id = '0190f6c4-1f1e-7000-8000-000000000001'
const statusOf = (call: Promise<unknown>) =>
  call.then(
    () => 'resolved',
    (error: unknown) => (error instanceof Problem ? error.status : String(error)),
  )

const noToken = (): Promise<string> => Promise.reject(new Error('Identity didn’t issue a token: 503'))
const token = async (): Promise<string> => 'token'
const unreachable = (): Promise<Response> => Promise.reject(new TypeError('Unable to connect'))
const answers = (status: number) => async (): Promise<Response> => new Response('{}', { status })

test.each([
  ['its token can’t be renewed', noToken, answers(200)],
  ['identity rejects its token, even a new one', token, answers(401)],
  ['identity can’t be reached', token, unreachable],
] as const)('PLT-04 IDN-40 service reports identity as unavailable (503) when %s', async (_, tokenOf, respond) => {
  const client = createIdentityClient({
    fetch: respond,
    baseUrl: 'http://identity.example',
    caller: 'platform-socialize',
    serviceTokens: () => tokenOf,
  })
  expect(await statusOf(client.isSuspended(id))).toBe(503)
})

test('PLT-04 failed name lookup returns no names, and the next request doesn’t repeat it', async () => {
  let calls = 0
  const client = createIdentityClient({
    fetch: () => {
      calls += 1
      return unreachable()
    },
    baseUrl: 'http://identity.example',
    caller: 'platform-socialize',
    serviceTokens: () => token,
  })
  expect((await client.people([id])).size).toBe(0)
  const first = calls
  expect(first).toBeGreaterThan(0)
  expect((await client.people([id])).size).toBe(0)
  expect(calls).toBe(first)
})
