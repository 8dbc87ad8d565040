import { afterAll, beforeAll, expect, test } from 'bun:test'
import { contexts } from '../../src/contexts.ts'
import { openWorld, password, type World } from '../support/world.ts'

let world: World
beforeAll(async () => void (world = await openWorld()))
afterAll(() => world.close())

const tables = async () => {
  const rows = await world.database.sql<{ name: string }[]>`
    SELECT table_name AS name FROM information_schema.columns
    WHERE table_schema = 'payments' AND column_name = 'organization_id' ORDER BY 1`
  return rows.map(({ name }) => name)
}

async function filledOf(organizationId: string): Promise<string[]> {
  const filled: string[] = []
  for (const name of await tables()) {
    const [row] = await world.database.sql.unsafe(`SELECT 1 FROM payments.${name} WHERE organization_id = $1 LIMIT 1`, [
      organizationId,
    ])
    if (row) filled.push(name)
  }
  return filled
}

/** A value of each type that a column without a default can have. */
const values: Record<string, string> = {
  uuid: 'gen_random_uuid()',
  text: `'row'`,
  int4: '1',
  int8: '1',
  bool: 'false',
  date: 'current_date',
  jsonb: `'{}'`,
  timestamptz: 'now()',
}

/** A row that only has its required columns, without its constraints. */
async function addRow(name: string, organizationId: string): Promise<void> {
  const columns = await world.database.sql<{ column: string; type: string }[]>`
    SELECT column_name AS column, udt_name AS type FROM information_schema.columns
    WHERE table_schema = 'payments' AND table_name = ${name}
      AND (column_name = 'organization_id' OR is_nullable = 'NO' AND column_default IS NULL)`
  const checks = await world.database.sql<{ check: string }[]>`
    SELECT conname AS check FROM pg_constraint
    WHERE conrelid = ${`payments.${name}`}::regclass AND contype = 'c'`
  await world.database.sql.begin(async (sql) => {
    await sql`SET LOCAL session_replication_role = replica`
    for (const { check } of checks) await sql.unsafe(`ALTER TABLE payments.${name} DROP CONSTRAINT ${check}`)
    const given = columns.map(({ column, type }) =>
      column === 'organization_id' ? `'${organizationId}'` : (values[type] ?? `'row'`),
    )
    const names = columns.map(({ column }) => column)
    await sql.unsafe(`INSERT INTO payments.${name} (${names.join()}) VALUES (${given.join()})`)
  })
}

test('PLT-39 PAY-30 each table of payments is empty for an organization after its erasure, and as before for another', async () => {
  const { organizations: erased } = world.ada.things
  const { organizations: other } = world.mallory.things
  for (const id of [erased, other]) {
    const filled = await filledOf(id)
    for (const name of await tables()) if (!filled.includes(name)) await addRow(name, id)
  }
  expect(await filledOf(erased)).toEqual(await tables())
  await world.ada.fetchJson(`DELETE /api/organizations/${erased}`, { confirm: 'Acme', password }, 202)
  await world.database.sql`
    UPDATE identity.suspensions SET suspended_at = suspended_at - interval '31 days', deletes_at = deletes_at - interval '31 days'
    WHERE organization_id = ${erased} AND lifted_at IS NULL`
  await contexts.payments?.erasureJob?.run({
    ...world.provided,
    input: {},
    database: world.database,
    now: () => new Date(),
  })
  expect(await filledOf(erased)).toEqual([])
  expect(await filledOf(other)).toEqual(await tables())
})
