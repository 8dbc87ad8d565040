import { Problem, retryLater } from './errors.ts'

interface TurnLimits {
  /** Concurrent runs, each of another tenant. */
  lanes: number
  waiting: number
  /** Limit of the bytes of everything that waits. */
  bytes: number
  /** Limit of one tenant's waiting bytes. A single run can be larger. */
  tenantBytes: number
  refusals: { tooMany: Refusal; busy: Refusal }
}

interface Refusal {
  code: string
  detail: string
}

interface TurnRequest {
  tenant: string
  bytes: number
  waitMs: number
  signal?: AbortSignal
}

/** Gives tenants turns for expensive work, so that one with much work only delays its own. */
export interface Turns {
  /** @throws {Problem} 429 when too much of its tenant waits, 503 when too much waits at all or for too long */
  take<Result>(request: TurnRequest, work: () => Promise<Result>): Promise<Result>
}

interface Waiting {
  bytes: number
  begin(): void
  refuse(problem: Problem): void
}

export function createTurns(limits: TurnLimits): Turns {
  /** By tenant, in the order in which tenants have their turns. */
  const queues = new Map<string, Waiting[]>()
  const running = new Set<string>()
  let waitingBytes = 0
  const tooMany = () => retryLater(429, limits.refusals.tooMany.code, limits.refusals.tooMany.detail)
  const busy = () => retryLater(503, limits.refusals.busy.code, limits.refusals.busy.detail)

  function leave(tenant: string, one: Waiting): void {
    const rest = queues.get(tenant)?.filter((other) => other !== one) ?? []
    queues.delete(tenant)
    if (rest.length > 0) queues.set(tenant, rest)
    waitingBytes -= one.bytes
  }

  function beginNext(): void {
    for (const [tenant, [first]] of queues) {
      if (running.size >= limits.lanes) return
      if (!first || running.has(tenant)) continue
      leave(tenant, first)
      running.add(tenant)
      first.begin()
    }
  }

  /** From tenants that hold more and have other runs. @throws {Problem} 503 */
  function makeRoom(bytes: number): void {
    while (waitingBytes + bytes > limits.bytes) {
      const several = [...queues].filter(([, queue]) => queue.length > 1 && sizeOf(queue) > bytes)
      const [largest] = several.toSorted(([, a], [, b]) => sizeOf(b) - sizeOf(a))
      const newest = largest?.[1].at(-1)
      if (!largest || !newest) throw busy()
      const [tenant, queue] = largest
      queues.set(tenant, queue.slice(0, -1))
      waitingBytes -= newest.bytes
      newest.refuse(tooMany())
    }
  }

  function turnOf({ tenant, bytes, waitMs, signal }: TurnRequest): Promise<void> {
    signal?.throwIfAborted()
    const queue = queues.get(tenant) ?? []
    if (queue.length >= limits.waiting) throw tooMany()
    if (queue.length > 0 && sizeOf(queue) + bytes > limits.tenantBytes) throw tooMany()
    if (queue.length === 0) makeRoom(bytes)
    if (waitingBytes + bytes > limits.bytes) throw busy()
    return new Promise((resolve, reject) => {
      const giveUp = (reason: unknown) => {
        leave(tenant, one)
        settle()
        reject(reason)
      }
      const late = setTimeout(() => giveUp(busy()), waitMs)
      const abort = () => giveUp(signal?.reason)
      signal?.addEventListener('abort', abort, { once: true })
      const settle = () => {
        clearTimeout(late)
        signal?.removeEventListener('abort', abort)
      }
      const one: Waiting = {
        bytes,
        begin: () => {
          settle()
          resolve()
        },
        refuse: (problem) => {
          settle()
          reject(problem)
        },
      }
      queues.set(tenant, [...queue, one])
      waitingBytes += bytes
      beginNext()
    })
  }

  return {
    take: async (asking, work) => {
      await turnOf(asking)
      try {
        return await work()
      } finally {
        running.delete(asking.tenant)
        beginNext()
      }
    },
  }
}

const sizeOf = (queue: Waiting[]): number => queue.reduce((sum, { bytes }) => sum + bytes, 0)
