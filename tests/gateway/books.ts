import { openDatabase, type DatabaseHandle } from '#lib/db.ts'
import { openEvents, type Events } from '#lib/events.ts'
import { newId } from '#lib/ids.ts'
import { createLog } from '#lib/log.ts'
import type { Clock } from '#lib/time.ts'
import { Book, type BookOptions } from '../../src/gateway/budgets/book.ts'
import type { Limit } from '../../src/gateway/budgets/limit.ts'
import type { Hold, HoldRequest } from '../../src/gateway/budgets/types.ts'
import { createLedger, type Ledger } from '../../src/gateway/ledger/commit.ts'
import { limits } from '../../src/gateway/schema.ts'
import type { UsageRow } from '../../src/gateway/usage/insert.ts'

export interface Replica {
  book: Book
  ledger: Ledger
  /** As if its process had been killed: it reaches its database no longer, and others find it stale at once. */
  kill(): Promise<void>
  /** Gives everything back. */
  close(): Promise<void>
}

interface ReplicaOptions {
  now?: Clock
  beatMs?: number
  staleMs?: number
  rowAfterMs?: number
  onCounted?: BookOptions['onCounted']
}

/** Budgets of one server with a pool of its own; several share a database like replicas. */
export async function openReplica(url: string, options: ReplicaOptions = {}): Promise<Replica> {
  const { now = () => new Date(), beatMs = 1_000, staleMs = 60_000, rowAfterMs, onCounted = async () => {} } = options
  const database = openDatabase(url, 4)
  const log = createLog('silent')
  const events: Events = await openEvents(database)
  const ledger = createLedger({ database, log, onCounted })
  const onRefused = async () => {}
  const book = new Book({ database, events, ledger, log, now, beatMs, staleMs, rowAfterMs, onCounted, onRefused })
  return {
    book,
    ledger,
    kill: async () => {
      const id = book.serverId
      book.abandon()
      await Promise.all([events.close(), database.close()])
      void ledger.close()
      const survivor = openDatabase(url, 1)
      if (id !== null) await survivor.sql`UPDATE gateway.gateway_servers SET last_seen_at = 'epoch' WHERE id = ${id}`
      await survivor.close()
    },
    close: async () => {
      await ledger.close()
      await book.close()
      await events.close()
      await database.close()
    },
  }
}

export async function addLimit(database: DatabaseHandle, given: Partial<Limit>): Promise<Limit> {
  const limit: Limit = {
    id: newId(),
    organizationId: null,
    scopeType: 'platform',
    scopeValue: 'platform',
    family: null,
    period: 'total',
    mode: 'hard',
    limitNanoUsd: 1_000_000n,
    timeZone: 'UTC',
    countsFrom: new Date(0),
    ...given,
  }
  await database.db.insert(limits).values({ ...limit, createdBy: newId() })
  await database.sql`UPDATE gateway.limits_version SET version = version + 1`
  return limit
}

export const requestOf = (given: Partial<HoldRequest> = {}): HoldRequest => ({
  organizationId: newId(),
  applicationId: null,
  apiKeyId: null,
  userId: null,
  family: 'ai',
  provider: 'practice',
  model: 'practice-small',
  paidBy: 'platform',
  requestId: newId(),
  maxNanoUsd: 1_000n,
  minNanoUsd: 1_000n,
  priced: true,
  ...given,
})

export const rowOf = ({ request, heldAt }: Pick<Hold, 'request' | 'heldAt'>, costNanoUsd: bigint): UsageRow => ({
  id: newId(),
  organizationId: request.organizationId,
  requestId: request.requestId,
  applicationId: request.applicationId,
  apiKeyId: request.apiKeyId,
  userId: request.userId,
  family: request.family,
  provider: request.provider,
  model: request.model,
  unit: 'token',
  quantity: 1,
  costNanoUsd,
  certainty: 'exact',
  paidBy: request.paidBy,
  priceDate: null,
  occurredAt: heldAt,
  metadata: {},
})

/** @throws when the budget refuses */
export async function holdOf(book: Pick<Book, 'hold'>, request: HoldRequest): Promise<Hold> {
  const result = await book.hold(request)
  if (result.held) return result.hold
  throw new Error(`Refused: ${result.refusal.code}`)
}

/** From then on, the server calls providers before it writes a hold’s row. It needs a hard limit that counts the request. */
export async function writeRowsLater({ book }: Replica, request: HoldRequest): Promise<void> {
  for (let left = 500; left > 0 && !book.isJournaledLate; left--) {
    await book.settle(await holdOf(book, { ...request, requestId: newId() }), [])
    await Bun.sleep(10)
  }
  if (!book.isJournaledLate) throw new Error('The server still writes rows first')
}
