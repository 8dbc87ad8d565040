import { afterAll, beforeAll, expect, test } from 'bun:test'
import { newId } from '#lib/ids.ts'
import { keepLeased } from '../../src/payments/settlements/keep-leased.ts'
import { openWorld, type World } from '../support/world.ts'
import { scaleTime } from '../support/time-scale.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const leaseMs = scaleTime(300)

test('PAY-12 claim of a settlement item lasts as long as its server works on it, and then ends by itself', async () => {
  const { sql, db } = world.database
  const owner = newId()
  const [item] = await sql<{ id: string }[]>`
    UPDATE payments.settlement_items SET lease_owner = ${owner}, due_at = now() + ${leaseMs} * interval '1 millisecond'
    WHERE id = (SELECT id FROM payments.settlement_items LIMIT 1) RETURNING id`
  const leftMs = async () =>
    (
      await sql<{ left: number | null }[]>`
      SELECT (extract(epoch FROM due_at - now()) * 1000)::float8 AS left
      FROM payments.settlement_items WHERE id = ${item?.id ?? ''}`
    )[0]?.left ?? null
  const config = { ...world.provided.config, SETTLEMENT_LEASE_MS: leaseMs }
  const work = { ...world.provided, config, db, now: () => new Date() }
  const keeping = { owner, ids: [item?.id ?? ''] }
  await keepLeased(work, keeping, async () => {
    await Bun.sleep(3 * leaseMs)
    expect(await leftMs()).toBeGreaterThan(0)
  })
  await Bun.sleep(2 * leaseMs)
  expect(await leftMs()).toBeLessThan(0)
  // Another server has it.
  await sql`UPDATE payments.settlement_items SET lease_owner = ${newId()} WHERE id = ${item?.id ?? ''}`
  await keepLeased(work, keeping, () => Bun.sleep(leaseMs))
  expect(await leftMs()).toBeLessThan(0)
  await sql`UPDATE payments.settlement_items SET lease_owner = NULL, due_at = NULL WHERE id = ${item?.id ?? ''}`
  await keepLeased(work, { owner, ids: [item?.id ?? ''] }, () => Bun.sleep(leaseMs))
  expect(await leftMs()).toBeNull()
})
