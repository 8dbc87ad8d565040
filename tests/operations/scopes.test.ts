import { afterAll, beforeAll, expect, test } from 'bun:test'
import { z } from 'zod'
import { openWorld, type Caller, type World } from '../support/world.ts'
import { sendChecked, requestFor, allowedCaller } from './send-request.ts'
import { operations, type Declared } from './every.ts'
import { samplesOf } from './samples.ts'

// An operation answers every caller with the same members; what needs another permission is null.

let world: World
let people: Caller[]
const keys = new Map<string, Caller>()

const reading = operations.filter(
  ({ method, streams, permission }) =>
    method === 'GET' && !streams && !['public', 'service', 'known'].includes(permission),
)

/** The scope of an API key that this operation needs; null where keys have none for it. */
const scopeOf = ({ permission, service }: Declared): string | null =>
  service === 'platform-socialize' && permission.includes(':') ? permission.replace(':', '.') : null

beforeAll(async () => {
  world = await openWorld({ apps: true })
  const joining = ['admin', 'editor', 'reviewer'].map((role) =>
    world.join(world.ada, { name: role.toUpperCase(), role }),
  )
  people = [world.ada, world.vera, ...(await Promise.all(joining))]
  for (const scope of new Set(reading.map(scopeOf)))
    if (scope) keys.set(scope, await world.ada.createKey({ scopes: [scope] }))
})

afterAll(() => world.close())

/** Where two answers have different members. Items of lists are compared when they have the same id. */
function differences(one: unknown, other: unknown, path = ''): string[] {
  if (Array.isArray(one) && Array.isArray(other)) {
    const byId = new Map(other.filter((item) => idOf(item)).map((item) => [idOf(item), item]))
    return one.flatMap((item) => (byId.has(idOf(item)) ? differences(item, byId.get(idOf(item)), `${path}[]`) : []))
  }
  if (!isObject(one) || !isObject(other)) return []
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])]
  return names.flatMap((name) =>
    name in one && name in other ? differences(one[name], other[name], `${path}.${name}`) : [`${path}.${name}`],
  )
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const idOf = (item: unknown): unknown => z.object({ id: z.unknown() }).safeParse(item).data?.id

test.each(reading.map((operation) => [operation.route, operation] as const))(
  'PLT-06 %s returns the same fields to every role and scope',
  async (_, operation) => {
    const request = requestFor(operation, samplesOf(operation, world)[0] ?? {})
    const key = keys.get(scopeOf(operation) ?? '')
    const callers = operation.signed ? [] : [...people, ...(key ? [key] : [])]
    const full = await sendChecked(allowedCaller(operation, world), request)
    // No organization of this world is being deleted.
    expect(full.status).toBe(operation.name === 'getOrganizationDeletion' ? 404 : 200)
    for (const caller of callers) {
      const answer = await sendChecked(caller, request)
      if (answer.status === 200) expect([...new Set(differences(full.json, answer.json))]).toEqual([])
      else expect([403, 404]).toContain(answer.status)
    }
  },
)

test('PLT-06 API keys with one scope are among the callers', () => {
  expect([...keys.keys()]).toContain('posts.read')
})

test('PLT-06 a field that is missing in one response is found, including in lists', () => {
  const full = {
    items: [
      { id: 1, cost: 3 },
      { id: 2, cost: null },
    ],
    total: 2,
  }
  expect(differences(full, { items: [{ id: 2, cost: 4 }], total: null })).toEqual([])
  expect(differences(full, { items: [{ id: 2 }] })).toEqual(['.items[].cost', '.total'])
})
