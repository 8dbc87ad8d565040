import type { Config } from '#config'
import type { Provided } from '#lib/call.ts'
import type { Database, DatabaseHandle } from '#lib/db.ts'
import type { Events } from '#lib/events.ts'
import type { Log } from '#lib/log.ts'
import { logFault } from '#lib/log/fault.ts'
import type { Queue } from '#lib/queue.ts'
import type { Clock } from '#lib/time.ts'
import { raiseAlerts, raiseEnd } from './budgets/alerts.ts'
import { Book } from './budgets/book.ts'
import type { Counted } from './budgets/counters.ts'
import { recallLeases } from './budgets/leased-lots.ts'
import { openEmailConnections } from './email-transports/connections.ts'
import { createLedger } from './ledger/commit.ts'
import { createUsageQueue } from './usage/ingest-queue.ts'
import { createUsageMonitor } from './usage/monitor.ts'
import { createRequestMonitor } from './usage/monitor-requests.ts'

interface GatewayParts {
  config: Pick<Config, 'BUDGET_HEARTBEAT_MS' | 'BUDGET_STALE_MS' | 'SERVICES' | 'USAGE_INGEST_QUEUE'>
  database: DatabaseHandle
  events: Events
  queue: Queue
  log: Log
  now: Clock
}

type GatewayServices = Pick<
  Provided,
  'budgets' | 'emailConnections' | 'ledger' | 'usageMonitor' | 'usageQueue' | 'monitorRequest'
> & {
  close(): Promise<void>
}

/** Without a query or timer until the first request that costs money. */
export function openGateway({ config, database, events, queue, log, now }: GatewayParts): GatewayServices {
  const emitting = { events, queue, now }
  const onCounted = async (tx: Database, counted: readonly Counted[]) => {
    await raiseAlerts(tx, emitting, counted)
    // Reported usage is never refused, so it can spend what servers have leased.
    for (const one of counted) if (isOverspent(one)) await recallLeases(events, tx, one)
  }
  const ledger = createLedger({ database, log, onCounted })
  const budgets = new Book({
    database,
    events,
    ledger,
    log,
    now,
    onCounted,
    beatMs: config.BUDGET_HEARTBEAT_MS,
    staleMs: config.BUDGET_STALE_MS,
    onRefused: (counted) => database.transaction((tx) => raiseEnd(tx, emitting, counted)),
  })
  const usageMonitor = createUsageMonitor({
    send: (rows) => ledger.commit(rows, { durable: false }),
    onError: (error) => logFault(log, 'counting requests', error),
  })
  const usageQueue = config.USAGE_INGEST_QUEUE ? createUsageQueue(config.USAGE_INGEST_QUEUE, log) : null
  const emailConnections = openEmailConnections()
  return {
    budgets,
    emailConnections,
    ledger,
    usageMonitor,
    usageQueue,
    // Elsewhere, its tables are another service's.
    monitorRequest: config.SERVICES.includes('gateway') ? createRequestMonitor(usageMonitor, now) : () => {},
    close: async () => {
      emailConnections.close()
      await Promise.all([usageMonitor.stop(), usageQueue?.close()])
      await ledger.close()
      await budgets.close()
    },
  }
}

const isOverspent = ({ limit, spentNanoUsd, leasedNanoUsd }: Counted): boolean =>
  limit.mode === 'hard' && leasedNanoUsd > 0n && spentNanoUsd + leasedNanoUsd > limit.limitNanoUsd
