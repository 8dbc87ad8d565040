import type { Sql } from 'postgres'
import { connectionLost, DatabaseTimeout } from './faults.ts'
import { openClient, type Endpoint, type StatementLimits } from './pool.ts'
import { watchConnections } from './watch.ts'

export interface Sessions {
  /** @throws {DatabaseTimeout} when none becomes free in time */
  use<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

const waitMs = 30_000

export function openSessions(endpoint: Endpoint, count: number, limits: StatementLimits): Sessions {
  const clients = Array.from({ length: count }, () => openClient(endpoint, 1, limits))
  const watching = watchConnections({ endpoint, clients, limits })
  const free = [...clients]
  const waiting: ((sql: Sql) => void)[] = []

  const acquire = async (): Promise<Sql> => {
    const sql = free.pop()
    if (sql) return sql
    const { promise, resolve, reject } = Promise.withResolvers<Sql>()
    waiting.push(resolve)
    const timer = setTimeout(() => {
      const at = waiting.indexOf(resolve)
      if (at === -1) return
      waiting.splice(at, 1)
      reject(new DatabaseTimeout('DATABASE_BUSY', `No database session became free within ${waitMs / 1000} s`))
    }, waitMs)
    return promise.finally(() => clearTimeout(timer))
  }
  const release = (sql: Sql) => {
    const next = waiting.shift()
    if (next) next(sql)
    else free.push(sql)
  }
  return {
    use: async (work) => {
      const sql = await acquire()
      try {
        return await work(sql)
      } catch (error) {
        // A lost connection has no transaction left, and the driver opens another one; else the next caller gets a clean one.
        if (!connectionLost(error)) await sql.unsafe('ROLLBACK').catch(() => {})
        throw error
      } finally {
        release(sql)
      }
    },
    close: async () => {
      watching.stop()
      await Promise.all(clients.map((sql) => sql.end({ timeout: 5 })))
    },
  }
}
