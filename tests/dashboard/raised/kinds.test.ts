import { afterAll, beforeAll, expect, test } from 'bun:test'
import { contexts } from '../../../src/contexts.ts'
import { openWorld, type World } from '../../support/world.ts'

const kinds = Object.values(contexts).flatMap(({ slug, notificationKinds = [] }) =>
  notificationKinds.map((kind) => ({ ...kind, slug })),
)

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

test('DSH-20 each kind has a name of its own, and belongs to the service that declares it', () => {
  const names = kinds.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  expect(kinds.filter(({ service, slug }) => service !== slug)).toEqual([])
})

test('DSH-20 each kind is seen with a permission that its service has', async () => {
  const rows = await world.database.sql<{ known: string }[]>`
    SELECT s.slug || ' ' || p.permission AS known
    FROM identity.service_permissions p JOIN identity.services s ON s.id = p.service_id`
  const known = new Set(rows.map((row) => row.known))
  const unknown = kinds.filter(
    ({ service, permission }) => !permission.startsWith('role:') && !known.has(`${service} ${permission}`),
  )
  expect(unknown.map(({ name, permission }) => [name, permission])).toEqual([])
})

test('DSH-20 documentation lists each kind with who sees it', async () => {
  const page = await Bun.file('docs/actions.md').text()
  const listed = page.split('\n').filter((line) => line.startsWith('| `'))
  const cells = listed.map((line) => line.split('|').map((cell) => cell.trim().replaceAll('`', '')))
  expect(cells.map(([, name, title, , permission]) => [name, title, permission])).toEqual(
    kinds.map(({ name, title, permission }) => [name, title, permission]),
  )
})
