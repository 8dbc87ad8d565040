import type { Database } from '#lib/db.ts'
import { createStoredBehaviors } from './behavior.ts'
import type { PracticeProvider } from './provider.ts'
import { createReceivedRequests } from './received.ts'

const providers = new WeakMap<Database, PracticeProvider>()

/** The provider of a server, known by its database: a test can have several servers in one process. */
export function providerOf(db: Database): PracticeProvider {
  const known = providers.get(db)
  if (known) return known
  const provider = { behaviors: createStoredBehaviors(db), received: createReceivedRequests() }
  providers.set(db, provider)
  return provider
}
