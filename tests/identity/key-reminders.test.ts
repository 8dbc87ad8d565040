import { afterAll, beforeAll, expect, test } from 'bun:test'
import { remindOfKeys } from '#identity'
import { openWorld, type World } from '../support/world.ts'

let world: World

beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const day = 24 * 60 * 60 * 1000
/** Runs the job with the clock this many days ahead. */
const remind = (days: number) =>
  remindOfKeys.run({
    ...world.provided,
    input: {},
    database: world.database,
    now: () => new Date(Date.now() + days * day),
  })
const subjects = async (to: string) =>
  (await world.letters(to)).map(({ subject }) => subject).filter((subject) => subject.includes('API key'))

test('IDN-30 creator of a key is emailed once when it expires within a week', async () => {
  const { ada } = world
  const gina = await world.join(ada, { name: 'Gina', role: 'admin' })
  const key = (name: string, expiresInDays: number, by = ada) =>
    by.createKey({ scopes: ['posts.read'], name, expiresInDays })
  await key('Nightly', 30)
  await key('Later', 60)
  await key('Short', 14)
  const [revoked, replaced] = [await key('Revoked', 30), await key('Replaced', 30)]
  await ada.fetchJson(`DELETE /api/api-keys/${revoked.id}`)
  await ada.fetchJson(`POST /api/api-keys/${replaced.id}/rotate`, { overlapHours: 168, expiresInDays: 60 }, 201)
  await gina.createKey({ scopes: ['posts.read'], name: 'Left', expiresInDays: 30 })
  await ada.fetch(`DELETE /api/organizations/${ada.things.organizations}/members/${gina.id}`)
  await remind(22)
  expect(await subjects(ada.email)).toEqual([])
  await Promise.all([remind(24), remind(24)])
  await remind(25)
  expect(await subjects(ada.email)).toEqual(['The API key Nightly in Acme expires soon'])
  expect(await subjects(gina.email)).toEqual([])
  const [letter] = await world.letters(ada.email)
  expect(letter?.text).toContain('/settings/keys')
})
