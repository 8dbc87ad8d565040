import { expect } from 'bun:test'
import { sql } from 'drizzle-orm'
import type { World } from '../support/world.ts'
import type { ChaoticServer } from './mail-chaos.ts'

/** None is lost, and only those of which the server lost its response arrived again, with the same Message-ID. */
export async function expectEachOnce(world: World, server: ChaoticServer, ids: readonly string[]): Promise<void> {
  expect(ids.filter((id) => !server.accepted.has(id))).toEqual([])
  const repeated = ids.filter((id) => (server.accepted.get(id) ?? 0) > 1 + (server.lost.get(id) ?? 0))
  expect(repeated).toEqual([])
  const { db } = world.database
  const open = await db.execute(sql`SELECT id, state FROM gateway.email_messages WHERE state <> 'settled' AND system`)
  expect([...open].filter(({ id }) => ids.includes(String(id)))).toEqual([])
  const states = await db.execute<{ state: string; count: number }>(
    sql`SELECT recipients.state, count(*)::int FROM gateway.email_recipients recipients
      JOIN gateway.email_messages messages ON messages.id = message_id
      WHERE messages.id = ANY(${sql.param([...ids])}::uuid[]) GROUP BY recipients.state`,
  )
  expect([...states]).toEqual([{ state: 'sent', count: ids.length }])
  const unknown = await db.execute<{ id: string }>(
    sql`SELECT DISTINCT message_id AS id FROM gateway.email_events WHERE outcome = 'unknown'`,
  )
  const uncertain = new Set(unknown.map(({ id }) => id))
  expect([...server.lost.keys()].filter((id) => !uncertain.has(id))).toEqual([])
}
