import { Problem } from './errors.ts'
import { detach } from './outside-calls.ts'

interface Batching<Row> {
  /** Milliseconds for which rows gather, from the first one on. */
  gatherMs: number
  /** Rows of one statement; a full batch doesn't wait. */
  most: number
  /** Rows that wait at most, those of the running statement among them. */
  mostWaiting: number
  /** Writes all of them in one statement, or none. */
  write(rows: readonly Row[]): Promise<void>
}

/** Rows of many callers in few statements. */
export interface BatchWriter<Row> {
  /**
   * Resolves once the row is written, and rejects with what its statement failed with.
   * @throws {Problem} 503 `busy` when too many rows wait
   */
  add(row: Row): Promise<void>
  /** Writes what waits, and returns once nothing does. Never throws: each `add` tells. */
  flush(): Promise<void>
}

interface Waiting<Row> {
  row: Row
  resolve(): void
  reject(error: unknown): void
}

/** One statement at a time, its rows in the order in which they were added. */
export function createBatchWriter<Row>({ gatherMs, most, mostWaiting, write }: Batching<Row>): BatchWriter<Row> {
  const waiting: Waiting<Row>[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let running: Promise<void> | undefined
  let writing = 0

  const writeOne = async () => {
    const batch = waiting.splice(0, most)
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
    timer = undefined
    // The statement is not part of a transaction that is open where a row is added.
    if (waiting.length > 0) running ??= detach(writeAll)
    return running ?? Promise.resolve()
  }
  return {
    add: async (row) => {
      if (waiting.length + writing >= mostWaiting)
        throw new Problem(503, 'busy', 'Too much is waiting to be written. Try again in a few seconds.', {
          headers: { 'Retry-After': '5' },
        })
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      waiting.push({ row, resolve, reject })
      if (waiting.length >= most) void start()
      else timer ??= setTimeout(() => void start(), gatherMs)
      return promise
    },
    flush: async () => {
      while (running !== undefined || waiting.length > 0) await start()
    },
  }
}
