import type { Database } from '#lib/db.ts'
import { systemClock, type Clock } from '#lib/time.ts'
import { include } from './include.ts'
import { routes } from './routes.ts'
import { createDispatcher, type Dispatcher } from './store/dispatcher.ts'
import { runTask } from './tasks.ts'
import type { Includes } from './wire/expand.ts'
import type { Route } from './wire/route.ts'

export interface Practice {
  db: Database
  now: Clock
  routes: readonly Route[]
  include: Includes
  dispatcher: Dispatcher
  /** Reports a fault. */
  fail(error: unknown): void
}

export const createPractice = (db: Database, fail: (error: unknown) => void, now: Clock = systemClock): Practice => ({
  db,
  now,
  routes,
  include,
  fail,
  dispatcher: createDispatcher(db, (tx, task) => runTask(tx, task, now()), fail),
})

const practices = new WeakMap<Database, Practice>()

/** The provider of a server, known by its database: a test can have several servers in one process. */
export function practiceOf(db: Database, fail: (error: unknown) => void = () => {}): Practice {
  const known = practices.get(db)
  if (known) return known
  const practice = createPractice(db, fail)
  practices.set(db, practice)
  return practice
}
