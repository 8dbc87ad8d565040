import { Problem } from '#lib/errors.ts'

interface Bounds {
  /** How many run at once, each of another tenant. */
  lanes: number
  /** How many of one tenant wait. */
  waiting: number
  /** Bytes of everything that waits. */
  bytes: number
  /** Limit of one tenant's waiting bytes. A single image can be larger. */
  tenantBytes: number
}

interface Asking {
  tenant: string
  bytes: number
  /** Milliseconds. */
  waitMs: number
}

/** Gives tenants turns for expensive work, so that one with much work only delays its own. */
export interface Turns {
  /**
   * Does the work when its turn comes. Throws 429 when too much of its tenant waits, 503 when too much waits at all or its
   * turn doesn't come in time.
   */
  take<Result>(asking: Asking, work: () => Promise<Result>): Promise<Result>
}

interface Waiting {
  bytes: number
  begin(): void
  refuse(problem: Problem): void
}

/** Turns of this process. */
export function createTurns(bounds: Bounds): Turns {
  /** By tenant, in the order in which tenants have their turns. */
  const queues = new Map<string, Waiting[]>()
  const running = new Set<string>()
  let held = 0

  function leave(tenant: string, one: Waiting): void {
    const rest = queues.get(tenant)?.filter((other) => other !== one) ?? []
    // Behind all other tenants.
    queues.delete(tenant)
    if (rest.length > 0) queues.set(tenant, rest)
    held -= one.bytes
  }

  function beginNext(): void {
    for (const [tenant, [first]] of queues) {
      if (running.size >= bounds.lanes) return
      if (!first || running.has(tenant)) continue
      leave(tenant, first)
      running.add(tenant)
      first.begin()
    }
  }

  /** Frees bytes for a tenant's first image, from tenants that hold more and have other images. Throws 503. */
  function makeRoom(bytes: number): void {
    while (held + bytes > bounds.bytes) {
      const several = [...queues].filter(([, queue]) => queue.length > 1 && sizeOf(queue) > bytes)
      const [largest] = several.toSorted(([, a], [, b]) => sizeOf(b) - sizeOf(a))
      const newest = largest?.[1].at(-1)
      if (!largest || !newest) throw busy()
      const [tenant, queue] = largest
      queues.set(tenant, queue.slice(0, -1))
      held -= newest.bytes
      newest.refuse(tooMany(queue.length - 1))
    }
  }

  function turnOf({ tenant, bytes, waitMs }: Asking): Promise<void> {
    const queue = queues.get(tenant) ?? []
    if (queue.length >= bounds.waiting) throw tooMany(queue.length)
    if (queue.length > 0 && sizeOf(queue) + bytes > bounds.tenantBytes) throw tooMany(queue.length)
    if (queue.length === 0) makeRoom(bytes)
    if (held + bytes > bounds.bytes) throw busy()
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        leave(tenant, one)
        reject(busy())
      }, waitMs)
      const one: Waiting = {
        bytes,
        begin: () => {
          clearTimeout(late)
          resolve()
        },
        refuse: (problem) => {
          clearTimeout(late)
          reject(problem)
        },
      }
      queues.set(tenant, [...queue, one])
      held += bytes
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

/** Seconds after which to try again. */
const pause = { headers: { 'Retry-After': '5' } }

const tooMany = (images: number) =>
  new Problem(
    429,
    'too_many_uploads',
    `${images} images of your organization are waiting already. Send this one again in 5 s.`,
    pause,
  )

const busy = () =>
  new Problem(503, 'uploads_busy', 'Too many images are waiting to be processed. Send this one again in 5 s.', pause)
