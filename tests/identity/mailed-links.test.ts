import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openWorld, type World } from '../support/world.ts'

let world: World

beforeAll(async () => {
  world = await openWorld()
})

afterAll(() => world.close())

const links = [
  ['IDN-42', 'password-reset', { email: expect.any(String), methods: [] }],
  ['IDN-07', 'recovery-email', { email: expect.any(String) }],
  ['IDN-42', 'email-change', { from: expect.any(String), to: expect.any(String) }],
  ['IDN-48', 'registrations', { email: expect.any(String), needsPassword: true }],
] as const

test.each(links)(
  '%s emailed link of %s states its purpose and leaks its token to no other site',
  async (_, kind, expected) => {
    const route = `GET /api/auth/${kind}/${world.mailedToken}`
    const reported = await world.stranger.fetch(route)
    expect(reported.status).toBe(200)
    expect(await reported.json()).toEqual(expected)
    for (const accept of ['application/json', 'text/html']) {
      const answer = await world.stranger.fetch(route, undefined, { accept })
      expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
    }
    const fragment = await world.stranger.fetch(route, undefined, { 'hx-request': 'true' })
    expect(await fragment.text()).toContain(`value="${world.mailedToken}"`)
    for (const token of ['unknown', 'x'.repeat(200)]) {
      const unknown = await world.stranger.fetch(`GET /api/auth/${kind}/${token}`)
      expect(unknown.status).toBe(404)
      expect(unknown.headers.get('referrer-policy')).toBe('no-referrer')
    }
  },
)
