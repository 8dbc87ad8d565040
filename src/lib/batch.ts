import { retryLater } from './errors.ts'
import { detach } from './outside-calls.ts'

interface BatchOptions<Row> {
  /** Milliseconds from the first row until the batch is written; 0: with those of the same turn of the event loop. */
  gatherMs: number | (() => number)
  maxRows: number
  /** Limit of waiting rows, including those of the running statement. */
  maxWaiting: number
  write(rows: readonly Row[]): Promise<void>
}

export interface BatchWriter<Row> {
  /** Resolves once the row is written. @throws {Problem} 503 `busy` when too many rows wait */
  add(row: Row): Promise<void>
  /** Begins to write what waits. */
  hurry(): void
  /** Writes all waiting rows. Never rejects: errors go to the callers of `add`. */
  flush(): Promise<void>
}

interface Waiting<Row> {
  row: Row
  resolve(): void
  reject(error: unknown): void
}

export function createBatchWriter<Row>({ gatherMs, maxRows, maxWaiting, write }: BatchOptions<Row>): BatchWriter<Row> {
  const waiting: Waiting<Row>[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let immediate: ReturnType<typeof setImmediate> | undefined
  let running: Promise<void> | undefined
  let writing = 0

  const writeOne = async () => {
    const batch = waiting.splice(0, maxRows)
    writing = batch.length
    try {
      await write(batch.map(({ row }) => row))
      for (const { resolve } of batch) resolve()
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
    writing = 0
  }
  const writeAll = async () => {
    while (waiting.length > 0) await writeOne()
    running = undefined
  }
  const start = (): Promise<void> => {
    clearTimeout(timer)
    clearImmediate(immediate)
    timer = immediate = undefined
    // The statement must not join a transaction of the caller of `add`.
    if (waiting.length > 0) running ??= detach(writeAll)
    return running ?? Promise.resolve()
  }
  return {
    add: async (row) => {
      if (waiting.length + writing >= maxWaiting)
        throw retryLater(503, 'busy', 'Too many writes are waiting. Try again in a few seconds.')
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      waiting.push({ row, resolve, reject })
      const pauseMs = typeof gatherMs === 'number' ? gatherMs : gatherMs()
      if (waiting.length >= maxRows) void start()
      else if (pauseMs === 0) immediate ??= setImmediate(() => void start())
      else timer ??= setTimeout(() => void start(), pauseMs)
      return promise
    },
    hurry: () => void start(),
    flush: async () => {
      while (running !== undefined || waiting.length > 0) await start()
    },
  }
}
