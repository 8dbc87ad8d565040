import { and, eq, gt, lt, ne, or, sql } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { digest } from '#lib/ids.ts'
import { PracticeModelsBehavior, type BehaviorScope } from './contract.ts'
import { practiceModelBehaviors } from './schema.ts'

export interface BehaviorStore {
  get(scope: BehaviorScope): Promise<PracticeModelsBehavior>
  set(scope: BehaviorScope, behavior: PracticeModelsBehavior): Promise<PracticeModelsBehavior>
  /** The behavior for a request that just arrived; uses one of its `times`. */
  take(request: { model: string | null; apiKey: string }): Promise<PracticeModelsBehavior>
}

interface Stored {
  model: string
  keyDigest: string
  behavior: PracticeModelsBehavior
  remaining: number | null
}

type Key = Pick<Stored, 'model' | 'keyDigest'>

const defaultBehavior: PracticeModelsBehavior = { mode: 'ok' }

const keyOf = ({ model = '', apiKey }: BehaviorScope): Key => ({ model, keyDigest: apiKey ? digest(apiKey) : '' })
const nameOf = ({ model, keyDigest }: Key): string => `${keyDigest} ${model}`

const toBehavior = ({ behavior, remaining }: Stored): PracticeModelsBehavior =>
  remaining === null ? behavior : { ...behavior, times: remaining }

/** From the most specific to the one for everything. An API key counts more than a model. */
function* candidatesOf({ model, apiKey }: { model: string | null; apiKey: string }, all: ReadonlyMap<string, Stored>) {
  if (all.size === 0) return
  const keyDigest = digest(apiKey)
  const keys = [
    ...(model === null ? [] : [{ model, keyDigest }]),
    { model: '', keyDigest },
    ...(model === null ? [] : [{ model, keyDigest: '' }]),
    { model: '', keyDigest: '' },
  ]
  for (const key of keys) {
    const found = all.get(nameOf(key))
    if (found) yield found
  }
}

export function createMemoryBehaviors(): BehaviorStore {
  const all = new Map<string, Stored>()
  return {
    get: async (scope) => {
      const found = all.get(nameOf(keyOf(scope)))
      return found ? toBehavior(found) : defaultBehavior
    },
    set: async (scope, behavior) => {
      const stored = { ...keyOf(scope), behavior, remaining: behavior.times ?? null }
      all.set(nameOf(stored), stored)
      return toBehavior(stored)
    },
    take: async (request) => {
      for (const found of candidatesOf(request, all)) {
        if (found.remaining === null) return found.behavior
        if (found.remaining <= 0) continue
        found.remaining -= 1
        return found.behavior
      }
      return defaultBehavior
    },
  }
}

/** A benchmark sends thousands of requests a second: behaviors are read once per 100 ms. */
const maxAgeMs = 100
/** Behaviors for one model or key are deleted by the first change a day later. */
const lifetime = sql`interval '1 day'`

export function createStoredBehaviors(db: Database): BehaviorStore {
  const { model, keyDigest, remaining, updatedAt } = practiceModelBehaviors
  let snapshot: Promise<ReadonlyMap<string, Stored>> | null = null
  let readAt = -Infinity

  const read = async () => {
    const rows = await db.select().from(practiceModelBehaviors)
    return new Map(
      rows.map((row) => [
        nameOf(row),
        { ...row, behavior: PracticeModelsBehavior.parse(row.behavior) } satisfies Stored,
      ]),
    )
  }
  const readRecent = () => {
    if (snapshot && performance.now() - readAt < maxAgeMs) return snapshot
    readAt = performance.now()
    snapshot = read()
    snapshot.catch(() => (snapshot = null))
    return snapshot
  }
  const isRow = (key: Key) => and(eq(model, key.model), eq(keyDigest, key.keyDigest))
  return {
    get: async (scope) => {
      const found = (await read()).get(nameOf(keyOf(scope)))
      return found ? toBehavior(found) : defaultBehavior
    },
    set: async (scope, behavior) => {
      const key = keyOf(scope)
      const values = { behavior, remaining: behavior.times ?? null, updatedAt: sql`now()` }
      const old = and(lt(updatedAt, sql`now() - ${lifetime}`), or(ne(model, ''), ne(keyDigest, '')))
      await db.delete(practiceModelBehaviors).where(old)
      await db
        .insert(practiceModelBehaviors)
        .values({ ...key, ...values })
        .onConflictDoUpdate({ target: [model, keyDigest], set: values })
      snapshot = null
      return toBehavior({ ...key, behavior, remaining: values.remaining })
    },
    take: async (request) => {
      for (const found of candidatesOf(request, await readRecent())) {
        if (found.remaining === null) return found.behavior
        if (found.remaining <= 0) continue
        const [taken] = await db
          .update(practiceModelBehaviors)
          .set({ remaining: sql`${remaining} - 1` })
          .where(and(isRow(found), gt(remaining, 0)))
          .returning({ remaining })
        found.remaining = taken?.remaining ?? 0
        if (taken) return found.behavior
      }
      return defaultBehavior
    },
  }
}
