import { sql } from 'drizzle-orm'
import type { Database } from '../db.ts'
import { eventChannel } from './channel.ts'

/** An event without payload to all servers, for code that has only the transaction. */
export async function publishOnCommit(db: Database, topic: string): Promise<void> {
  const message = JSON.stringify({ from: 'database', topic, payload: null })
  await db.execute(sql`SELECT pg_notify(${eventChannel}, ${message})`)
}
