import { sql as statement } from 'drizzle-orm'
import { z } from 'zod'
import type { Database, DatabaseHandle } from './db.ts'
import { afterCommit } from './after-commit.ts'
import { createHearing } from './events/hearing.ts'
import { listen } from './events/listen.ts'
import { randomToken } from './ids.ts'
import { detach } from './outside-calls.ts'

declare module './call.ts' {
  interface Provided {
    readonly events: Events
  }
}

interface Publishing {
  /** The commit waits, in `afterCommit`, until every server has received the event or distrusts its caches. */
  awaited?: boolean
}

interface Subscribing {
  /** Calls back once, after the commit: not for events of transactions that are still open in this process. */
  committed?: boolean
}

/** Events between the servers that share a database: quick and small, and not delivered to servers that don't listen. */
export interface Events {
  /** Told when `db`'s transaction commits; here at once too, so a rolled-back one may be heard of in this process. */
  publish(db: Database, topic: string, payload: Record<string, unknown>, options?: Publishing): Promise<void>
  subscribe<Payload>(
    topic: string,
    payload: z.ZodType<Payload>,
    hear: (payload: Payload) => void,
    options?: Subscribing,
  ): void
  /** Called when events could have been missed. */
  onGap(act: () => void): void
  /** Whether this process's own pings came back lately: if not, what was learnt by events is not to be trusted. */
  healthy(): boolean
  close(): Promise<void>
}

const channel = 'atrium'
const pingEvery = 1_000
/** Milliseconds after a ping in which all that was committed before it is surely known: then the listener counts as lost. */
const patience = 2_500

const Message = z.object({
  from: z.string(),
  topic: z.string(),
  payload: z.unknown(),
  /** ID by which receivers acknowledge the message. */
  answer: z.string().optional(),
})
/** When it was sent, by the sender's own clock. */
const Ping = z.number()
const Heard = z.string()

type Hear = (payload: unknown) => void

/** Listens on one connection of its own, which is opened again when it breaks. */
export async function openEvents(
  { sql, listener }: Pick<DatabaseHandle, 'sql' | 'listener'>,
  onFault: (error: unknown) => void = () => {},
): Promise<Events> {
  const self = randomToken(9)
  const listeners = new Map<string, Hear[]>()
  const committedListeners = new Map<string, Hear[]>()
  const gaps: (() => void)[] = []
  const hearing = createHearing(self, patience)
  let lastPing = -Infinity

  const healthy = () => performance.now() - lastPing < patience
  const tell = (topic: string, payload: unknown) => detach(() => listeners.get(topic)?.forEach((hear) => hear(payload)))
  const tellCommitted = (topic: string, payload: unknown) =>
    detach(() => committedListeners.get(topic)?.forEach((hear) => hear(payload)))
  const missed = () => gaps.forEach((act) => act())
  const hearPing = (sentAt: number) => {
    if (!healthy()) missed()
    lastPing = sentAt
  }
  const message = (topic: string, payload: unknown, answer?: string) =>
    JSON.stringify({ from: self, topic, payload, answer })
  const say = (topic: string, payload: unknown) => sql.notify(channel, message(topic, payload)).catch(onFault) // healthy() and hearing tell.

  const hear = (text: string) => {
    try {
      take(text)
    } catch (error) {
      onFault(error)
    }
  }
  const take = (text: string) => {
    const { from, topic, payload, answer } = Message.parse(JSON.parse(text))
    if (topic === 'ping' || topic === 'hello') hearing.alive(from)
    if (topic === 'ping' && from === self) hearPing(Ping.parse(payload))
    else if (topic === 'heard') hearing.heard(from, Heard.parse(payload))
    else if (topic === 'bye') hearing.gone(from)
    else if (topic === 'hello') {
      if (from !== self) void ping()
    } else if (topic !== 'ping') {
      tell(topic, payload)
      tellCommitted(topic, payload)
    }
    if (answer && from === self) hearing.heard(self, answer)
    else if (answer) void say('heard', answer)
  }
  let pinging: Promise<unknown> | undefined
  /** A database that doesn't answer isn't asked more and more: a ping under way is waited for. */
  const ping = () =>
    (pinging ??= say('ping', performance.now()).finally(() => {
      pinging = undefined
    }))

  const listening = await listen(listener, { channel, hear, onListen: missed, isWell: healthy, onFault })
  // The others ping at once: what is revoked here from now on waits for them too.
  await say('hello', null)
  await ping()
  const pings = setInterval(ping, pingEvery)
  pings.unref()

  return {
    healthy,
    publish: async (db, topic, payload, { awaited = false } = {}) => {
      tell(topic, payload)
      const answer = awaited ? randomToken(9) : undefined
      await db.execute(statement`SELECT pg_notify(${channel}, ${message(topic, payload, answer)})`)
      if (answer) afterCommit(db, () => hearing.everyone(answer))
    },
    subscribe: (topic, schema, act, { committed = false } = {}) => {
      const all = committed ? committedListeners : listeners
      all.set(topic, [...(all.get(topic) ?? []), (payload) => act(schema.parse(payload))])
    },
    onGap: (act) => void gaps.push(act),
    close: async () => {
      clearInterval(pings)
      lastPing = -Infinity
      await say('bye', null)
      await listening.close()
    },
  }
}
