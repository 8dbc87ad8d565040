import { sql as statement } from 'drizzle-orm'
import { z } from 'zod'
import { type Database, type DatabaseHandle, afterCommit } from './db.ts'
import { createAckTracker } from './events/acks.ts'
import { eventChannel as channel } from './events/channel.ts'
import { listen } from './events/listen.ts'
import { randomToken } from './ids.ts'
import { detach } from './outside-calls.ts'

declare module './call.ts' {
  interface Provided {
    readonly events: Events
  }
}

interface PublishOptions {
  /** `transact` waits after the commit until every server has received the event or has stopped using its caches. */
  waitForServers?: boolean
}

interface SubscribeOptions {
  /** Only called after the commit, not for events of transactions that are open in this process. */
  committed?: boolean
}

/** Events between servers that share a database. They are small, and lost for servers that aren't listening. */
export interface Events {
  /** Delivered when `db`'s transaction commits; in this process also immediately, so even when it is rolled back. */
  publish(db: Database, topic: string, payload: Record<string, unknown>, options?: PublishOptions): Promise<void>
  subscribe<Payload>(
    topic: string,
    payload: z.ZodType<Payload>,
    handle: (payload: Payload) => void,
    options?: SubscribeOptions,
  ): void
  onGap(act: () => void): void
  /** Whether this process receives its own pings. If not, caches that depend on events must not be used. */
  healthy(): boolean
  close(): Promise<void>
}

const pingIntervalMs = 1_000
const lostAfterMs = 2_500

const Message = z.object({
  from: z.string(),
  topic: z.string(),
  payload: z.unknown(),
  answer: z.string().optional(),
})
/** `performance.now()` of the sender. */
const Ping = z.number()
const AckId = z.string()

type Listener = (payload: unknown) => void

export async function openEvents(
  { sql, listener }: Pick<DatabaseHandle, 'sql' | 'listener'>,
  onFault: (error: unknown) => void = () => {},
): Promise<Events> {
  const self = randomToken(9)
  const listeners = new Map<string, Listener[]>()
  const committedListeners = new Map<string, Listener[]>()
  const gaps: (() => void)[] = []
  const acks = createAckTracker(self, lostAfterMs)
  let lastPing = -Infinity

  const healthy = () => performance.now() - lastPing < lostAfterMs
  const notify = (topic: string, payload: unknown) =>
    detach(() => listeners.get(topic)?.forEach((receive) => receive(payload)))
  const notifyCommitted = (topic: string, payload: unknown) =>
    detach(() => committedListeners.get(topic)?.forEach((receive) => receive(payload)))
  const reportGap = () => gaps.forEach((act) => act())
  const receivePing = (sentAt: number) => {
    if (!healthy()) reportGap()
    lastPing = sentAt
  }
  const message = (topic: string, payload: unknown, answer?: string) =>
    JSON.stringify({ from: self, topic, payload, answer })
  const send = (topic: string, payload: unknown) => sql.notify(channel, message(topic, payload)).catch(onFault)

  const hear = (text: string) => {
    try {
      handleMessage(text)
    } catch (error) {
      onFault(error)
    }
  }
  const handleMessage = (text: string) => {
    const { from, topic, payload, answer } = Message.parse(JSON.parse(text))
    if (topic === 'ping' || topic === 'hello') acks.markAlive(from)
    if (topic === 'ping' && from === self) receivePing(Ping.parse(payload))
    else if (topic === 'heard') acks.recordAck(from, AckId.parse(payload))
    else if (topic === 'bye') acks.markGone(from)
    else if (topic === 'hello') {
      if (from !== self) void ping()
    } else if (topic !== 'ping') {
      notify(topic, payload)
      notifyCommitted(topic, payload)
    }
    if (answer && from === self) acks.recordAck(self, answer)
    else if (answer) void send('heard', answer)
  }
  let pinging: Promise<unknown> | undefined
  /** One ping at a time, so that they don't pile up when the database hangs. */
  const ping = () =>
    (pinging ??= send('ping', performance.now()).finally(() => {
      pinging = undefined
    }))

  const listening = await listen(listener, {
    channel,
    onMessage: hear,
    onListen: reportGap,
    isHealthy: healthy,
    onFault,
  })
  // Other servers ping immediately, so that revocations from now on wait for their acknowledgements.
  await send('hello', null)
  await ping()
  const pings = setInterval(ping, pingIntervalMs)
  pings.unref()

  return {
    healthy,
    publish: async (db, topic, payload, { waitForServers = false } = {}) => {
      notify(topic, payload)
      const ackId = waitForServers ? randomToken(9) : undefined
      await db.execute(statement`SELECT pg_notify(${channel}, ${message(topic, payload, ackId)})`)
      if (ackId) afterCommit(db, () => acks.waitForAcks(ackId))
    },
    subscribe: (topic, schema, act, { committed = false } = {}) => {
      const all = committed ? committedListeners : listeners
      all.set(topic, [...(all.get(topic) ?? []), (payload) => act(schema.parse(payload))])
    },
    onGap: (act) => void gaps.push(act),
    close: async () => {
      clearInterval(pings)
      lastPing = -Infinity
      await send('bye', null)
      await listening.close()
    },
  }
}
