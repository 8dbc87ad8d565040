import type { Consumer, JetStreamClient, JsMsg } from '@nats-io/jetstream'
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { retryLater } from '#lib/errors.ts'
import { logFault } from '#lib/log/fault.ts'
import type { Log } from '#lib/log.ts'
import { Certainty, Family, Payer } from '../contract/families.ts'
import type { Ledger } from '../ledger/commit.ts'
import type { UsageRow } from './insert.ts'

declare module '#lib/call.ts' {
  interface Provided {
    /** With USAGE_INGEST_QUEUE: takes reported events before they are counted. */
    readonly usageQueue: UsageQueue | null
  }
}

export interface UsageQueue {
  /**
   * Resolves once the broker has stored all rows; `duplicates` are those that it already knew. @throws {Problem} 503
   * `queue_unavailable`
   */
  publish(rows: readonly UsageRow[]): Promise<{ accepted: number; duplicates: number }>
  /** Counts what the queue has, until `close`. */
  work(ledger: Pick<Ledger, 'commit'>): void
  close(): Promise<void>
}

const stream = 'ATRIUM_USAGE'
const subject = 'atrium.usage.events'
const durableName = 'gateway'
const batchSize = 500
const waitMs = 1_000
/** After the database was away. */
const retryMs = 2_000

/** Connects on first use, and again after a failure. */
export function createUsageQueue(url: string, log: Pick<Log, 'error' | 'warn'>): UsageQueue {
  let opened: Promise<Broker> | undefined
  const open = () =>
    (opened ??= connectTo(url).catch((error: unknown) => {
      opened = undefined
      throw error
    }))
  let isClosed = false
  let working: Promise<void> | undefined
  return {
    publish: async (rows) => {
      try {
        const { client } = await open()
        const acks = await Promise.all(
          rows.map((row) => client.publish(subject, encode(row), { msgID: messageIdOf(row), timeout: 10_000 })),
        )
        const duplicates = acks.filter(({ duplicate }) => duplicate).length
        return { accepted: rows.length - duplicates, duplicates }
      } catch (cause) {
        const detail = 'The queue for usage events is unavailable. Send this request again in a few seconds.'
        throw retryLater(503, 'queue_unavailable', detail, { cause })
      }
    },
    work: (ledger) => {
      const run = async () => {
        while (!isClosed)
          await open()
            .then(({ consumer }) => countBatch(consumer, ledger, log))
            .catch(async (error: unknown) => {
              if (isClosed) return
              logFault(log, 'counting queued usage', error)
              await Bun.sleep(retryMs)
            })
      }
      working ??= run()
    },
    close: async () => {
      isClosed = true
      await working
      await opened?.then((broker) => broker.close()).catch(() => {})
    },
  }
}

interface Broker {
  client: JetStreamClient
  consumer: Consumer
  close(): Promise<void>
}

/** The packages are only loaded where the queue is used. */
async function connectTo(url: string): Promise<Broker> {
  const [{ connect }, { AckPolicy, jetstream, jetstreamManager, RetentionPolicy, StorageType }] = await Promise.all([
    import('@nats-io/transport-node'),
    import('@nats-io/jetstream'),
  ])
  const { host, username, password } = new URL(url)
  const credentials = username ? { user: decodeURIComponent(username), pass: decodeURIComponent(password) } : {}
  const connection = await connect({ servers: host, name: 'atrium', maxReconnectAttempts: -1, ...credentials })
  try {
    const manager = await jetstreamManager(connection)
    await manager.streams.add({
      name: stream,
      subjects: [subject],
      retention: RetentionPolicy.Workqueue,
      storage: StorageType.File,
    })
    await manager.consumers.add(stream, { durable_name: durableName, ack_policy: AckPolicy.Explicit })
    const client = jetstream(connection)
    const consumer = await client.consumers.get(stream, durableName)
    return { client, consumer, close: () => connection.drain() }
  } catch (error) {
    await connection.close()
    throw error
  }
}

async function countBatch(
  consumer: Consumer,
  ledger: Pick<Ledger, 'commit'>,
  log: Pick<Log, 'error' | 'warn'>,
): Promise<void> {
  const messages: JsMsg[] = []
  const rows: UsageRow[] = []
  for await (const message of await consumer.fetch({ max_messages: batchSize, expires: waitMs })) {
    const row = decode(message)
    if (row) {
      messages.push(message)
      rows.push(row)
    } else {
      log.warn('queued usage event can’t be read', { sequence: message.seq })
      message.term()
    }
  }
  if (rows.length === 0) return
  try {
    const { conflicts } = await ledger.commit(rows, { durable: true })
    if (conflicts.length > 0)
      log.warn('usage events reported with other data', { count: conflicts.length, first: conflicts[0]?.requestId })
  } catch (error) {
    for (const message of messages) message.nak(retryMs)
    throw error
  }
  for (const message of messages) message.ack()
}

/** With the payload: another one for the same request is no repetition, and is reported by the worker. */
const messageIdOf = ({ organizationId, requestId, payloadDigest = '' }: UsageRow): string =>
  createHash('sha256').update(`${organizationId} ${payloadDigest} ${requestId}`).digest('base64url')

const encode = (row: UsageRow): string => JSON.stringify({ ...row, costNanoUsd: String(row.costNanoUsd) })

const name = z.string().nullable()

/** What reported events have. */
const Queued = z.object({
  id: z.guid(),
  organizationId: z.guid(),
  requestId: z.string(),
  applicationId: name,
  apiKeyId: z.guid().nullable(),
  userId: name,
  family: Family,
  provider: z.string(),
  model: name,
  unit: z.string(),
  quantity: z.number(),
  costNanoUsd: z.coerce.bigint(),
  certainty: Certainty,
  // Events that an earlier version queued have none.
  paidBy: Payer.default('platform'),
  priceDate: name,
  occurredAt: z.coerce.date(),
  metadata: z.record(z.string(), z.unknown()),
  payloadDigest: z.string().regex(/^[0-9a-f]{32}$/),
})

function decode(message: JsMsg): UsageRow | null {
  try {
    return Queued.parse(message.json())
  } catch {
    return null
  }
}
