import { sql as statement } from 'drizzle-orm'
import type { Sql } from 'postgres'
import { z } from 'zod'
import type { Database } from './db.ts'
import { randomToken } from './ids.ts'

declare module './call.ts' {
  interface Provided {
    readonly events: Events
  }
}

/** News between the servers that share a database: quick and small, and lost where nobody listens. */
export interface Events {
  /** Told when `db`'s transaction commits; here at once too, so a rolled-back one may be heard of in this process. */
  publish(db: Database, topic: string, payload: Record<string, unknown>): Promise<void>
  subscribe<Payload>(topic: string, payload: z.ZodType<Payload>, hear: (payload: Payload) => void): void
  /** Called when news may have been missed. */
  onGap(act: () => void): void
  /** Whether this process's own pings came back lately: if not, what was learnt by events is not to be trusted. */
  healthy(): boolean
  close(): Promise<void>
}

const channel = 'atrium'
const pingEvery = 1_000
/** Milliseconds after which a missing ping means that the listener is lost. */
const patience = 2_500

const Message = z.object({ from: z.string(), topic: z.string(), payload: z.unknown() })

type Hear = (payload: unknown) => void

/** Listens on one connection of its own, which postgres.js opens again when it breaks. */
export async function openEvents(sql: Sql): Promise<Events> {
  const self = randomToken(9)
  const listeners = new Map<string, Hear[]>()
  const gaps: (() => void)[] = []
  let lastPing = -Infinity

  const healthy = () => performance.now() - lastPing < patience
  const tell = (topic: string, payload: unknown) => listeners.get(topic)?.forEach((hear) => hear(payload))
  const missed = () => gaps.forEach((act) => act())
  const hearPing = () => {
    if (!healthy()) missed()
    lastPing = performance.now()
  }
  const hear = (text: string) => {
    const { from, topic, payload } = Message.parse(JSON.parse(text))
    if (topic !== 'ping') tell(topic, payload)
    else if (from === self) hearPing()
  }
  const message = (topic: string, payload: unknown) => JSON.stringify({ from: self, topic, payload })
  const ping = () => sql.notify(channel, message('ping', null)).catch(() => {}) // healthy() tells.

  const listening = await sql.listen(channel, hear, missed)
  await ping()
  const pings = setInterval(ping, pingEvery)
  pings.unref()

  return {
    healthy,
    publish: async (db, topic, payload) => {
      tell(topic, payload)
      await db.execute(statement`SELECT pg_notify(${channel}, ${message(topic, payload)})`)
    },
    subscribe: (topic, schema, act) => {
      listeners.set(topic, [...(listeners.get(topic) ?? []), (payload) => act(schema.parse(payload))])
    },
    onGap: (act) => void gaps.push(act),
    close: async () => {
      clearInterval(pings)
      await listening.unlisten().catch(() => {}) // The connection may be gone already.
    },
  }
}
