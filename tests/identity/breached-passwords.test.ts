import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openWorld, password, type World } from '../support/world.ts'

let world: World

beforeAll(async () => {
  world = await openWorld()
})

afterAll(() => world.close())

const refusal = 'This password has appeared in a data breach'

/** Every operation that sets a password. */
const choices: [string, (password: string) => Promise<Response>, () => string][] = [
  [
    'signing up',
    (chosen) => world.stranger.fetch('POST /register', { email: 'new@example.com', password: chosen, name: 'New' }),
    () => 'new@example.com',
  ],
  [
    'following an invitation',
    (chosen) => {
      const body = { token: world.invitationToken, password: chosen, name: 'New' }
      return world.stranger.fetch('POST /api/invitations/register', body)
    },
    () => 'newcomer@example.com',
  ],
  [
    'becoming a super admin',
    (chosen) => {
      const body = { token: world.superAdminToken, password: chosen, name: 'New' }
      return world.stranger.fetch('POST /api/super-admins', body)
    },
    () => 'second@example.com',
  ],
  [
    'changing the password',
    (chosen) => world.vera.fetch('POST /api/auth/password', { currentPassword: password, password: chosen }),
    () => world.vera.email,
  ],
]

test.each(choices)('IDN-02 %s with a leaked password is rejected with a hint', async (_, choose) => {
  for (const known of ['password1234', '1234567890', 'QwertyUiop', 'Summer2024!', 'ｐａｓｓｗｏｒｄ１２３']) {
    const response = await choose(known)
    expect([known, response.status]).toEqual([known, 422])
    const problem = await response.json()
    expect(problem).toMatchObject({ code: 'validation_failed', errors: [{ path: 'password' }] })
    expect(JSON.stringify(problem)).toContain(refusal)
  }
})

test.each(choices)(
  'IDN-02 %s with the email address as the password in any letter case is rejected',
  async (_, choose, email) => {
    for (const same of [email(), email().toUpperCase()]) {
      const response = await choose(same)
      expect(response.status).toBe(422)
      expect(await response.text()).toContain('Must be different from your email address.')
    }
  },
)

test.each(choices)('IDN-02 %s with a password that is too short or too long is rejected', async (_, choose) => {
  for (const unfit of ['nine char', 'ä'.repeat(257)]) expect((await choose(unfit)).status).toBe(422)
})

test('IDN-02 long password that is not on the list is accepted even if it begins or ends like a listed one', async () => {
  const taken = [
    'correct horse battery',
    'password reset desk',
    'monkey-and-837261940382',
    '🐴🔋📎🐴🔋📎🐴🔋📎🐴',
    'ä'.repeat(256),
  ]
  for (const [at, chosen] of taken.entries()) {
    const person = { email: `taken${at}@example.com`, password: chosen, name: 'New' }
    expect((await world.stranger.fetch('POST /register', person)).status).toBe(201)
  }
})
