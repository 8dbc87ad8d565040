import { newId } from '#lib/ids.ts'
import type { UsageRow } from './insert.ts'

declare module '#lib/call.ts' {
  interface Provided {
    /** Reports a context's own API requests as usage (GTW-32). */
    readonly usageMonitor: UsageMonitor
  }
}

export interface MonitoredRequest {
  organizationId: string
  /** The reporting service, such as `platform-socialize`. */
  service: string
  applicationId?: string | null
  apiKeyId?: string | null
  userId?: string | null
  /** What was requested, such as the name of an operation. */
  operation?: string
  costNanoUsd?: bigint
  occurredAt: Date
  latencyMs?: number
}

export interface UsageMonitor {
  /** Never waits and never throws: when too many wait, the request isn't counted, and `dropped` grows. */
  record(request: MonitoredRequest): void
  readonly dropped: number
  /** Sends what waits, with one attempt, and then nothing more. */
  stop(): Promise<void>
}

interface MonitorOptions {
  /** Must count each row's `requestId` once: rows of a failed call are sent again. */
  send(rows: readonly UsageRow[]): Promise<unknown>
  onError(error: unknown): void
  gatherMs?: number
  maxBatch?: number
  /** About 1 KB each. */
  maxWaiting?: number
}

const maxPauseMs = 30_000

export function createUsageMonitor(options: MonitorOptions): UsageMonitor {
  const { send, onError, gatherMs = 1000, maxBatch = 500, maxWaiting = 20_000 } = options
  const waiting: UsageRow[] = []
  let dropped = 0
  let failures = 0
  let isStopped = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let sending: Promise<void> | undefined

  const sendBatch = async (): Promise<boolean> => {
    const batch = waiting.slice(0, maxBatch)
    try {
      await send(batch)
    } catch (error) {
      if (failures++ === 0) onError(error)
      return false
    }
    failures = 0
    waiting.splice(0, batch.length)
    return true
  }
  const sendAll = async () => {
    while (waiting.length > 0 && (await sendBatch()));
  }
  const flush = () => (sending ??= sendAll().finally(() => (sending = undefined)))
  const schedule = () => {
    if (timer !== undefined || isStopped) return
    timer = setTimeout(
      () => {
        timer = undefined
        void flush().finally(() => waiting.length > 0 && schedule())
      },
      Math.min(gatherMs * 2 ** failures, maxPauseMs),
    )
    timer.unref()
  }
  return {
    record: (request) => {
      if (isStopped || waiting.length >= maxWaiting) dropped += 1
      else {
        waiting.push(rowOf(request))
        schedule()
      }
    },
    get dropped() {
      return dropped
    },
    stop: async () => {
      isStopped = true
      clearTimeout(timer)
      await sending
      await flush()
    },
  }
}

const rowOf = (request: MonitoredRequest): UsageRow => ({
  id: newId(),
  organizationId: request.organizationId,
  requestId: newId(),
  applicationId: request.applicationId ?? null,
  apiKeyId: request.apiKeyId ?? null,
  userId: request.userId ?? null,
  family: 'requests',
  provider: request.service,
  model: null,
  unit: 'request',
  quantity: 1,
  costNanoUsd: request.costNanoUsd ?? 0n,
  certainty: 'exact',
  paidBy: 'platform',
  priceDate: null,
  occurredAt: request.occurredAt,
  metadata: request.operation === undefined ? {} : { operation: request.operation },
  ...(request.latencyMs !== undefined && { details: { latencyMs: Math.round(request.latencyMs) } }),
})
