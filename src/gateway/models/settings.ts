import type { Database } from '#lib/db.ts'
import type { modelPrices } from '../schema.ts'
import type { Routing } from './routes.ts'

/** Routes, allowed models and prices of one organization. */
export interface ModelSettings {
  readonly routing: Routing
  readonly prices: readonly (typeof modelPrices.$inferSelect)[]
}

/** Milliseconds. Other servers apply a change within this time. */
const lifeMs = 1_000
const maxEntries = 10_000

type Entry = { readonly until: number; readonly settings: Promise<ModelSettings> }
let entries = new WeakMap<Database, Map<string, Entry>>()

/** Reads once per organization and second: each AI request needs them. */
export function cachedSettings(
  db: Database,
  organizationId: string,
  read: () => Promise<ModelSettings>,
): Promise<ModelSettings> {
  const known = entries.get(db) ?? new Map<string, Entry>()
  entries.set(db, known)
  const entry = known.get(organizationId)
  if (entry && entry.until > performance.now()) return entry.settings
  if (known.size >= maxEntries) known.clear()
  const settings = read()
  known.set(organizationId, { until: performance.now() + lifeMs, settings })
  // A failed read isn't an answer for the next request.
  settings.catch(() => known.delete(organizationId))
  return settings
}

export const forgetSettings = (): void => void (entries = new WeakMap())
