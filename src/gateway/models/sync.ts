import { and, eq, notInArray, sql } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { transact } from '#lib/db.ts'
import { truncate } from '#lib/text.ts'
import { catalogModels, modelSources } from '../schema.ts'
import type { ListedModel } from './listed-model.ts'

/** Where models and their lifecycle are read from, such as the list of one provider. */
export interface CatalogSource {
  readonly name: string
  readonly provider: string
  read(signal: AbortSignal): Promise<readonly ListedModel[]>
}

/** Milliseconds for one source. */
const sourceMs = 20_000
const maxModels = 2_000

/** Each source alone: one that fails keeps its last good data and is unhealthy until it answers again. */
export async function syncSources(db: Database, sources: readonly CatalogSource[], at: Date): Promise<void> {
  await Promise.all(sources.map((source) => syncSource(db, source, at)))
}

async function syncSource(db: Database, source: CatalogSource, at: Date): Promise<void> {
  try {
    const listed = (await source.read(AbortSignal.timeout(sourceMs))).slice(0, maxModels)
    // An empty list is a fault of the source: it would retire every model.
    if (listed.length === 0) throw new Error('The source listed no models.')
    await transact(db, (tx) => saveListed(tx, source, listed, at))
  } catch (error) {
    const failed = { healthy: false, error: describe(error), checkedAt: at }
    await db
      .insert(modelSources)
      .values({ name: source.name, ...failed })
      .onConflictDoUpdate({ target: modelSources.name, set: failed })
  }
}

const describe = (error: unknown): string => truncate(error instanceof Error ? error.message : String(error), 300)

async function saveListed(
  tx: Database,
  { name, provider }: CatalogSource,
  listed: readonly ListedModel[],
  at: Date,
): Promise<void> {
  const rows = listed.map((model) => ({ provider, source: name, lastSeenAt: at, firstSeenAt: at, ...model }))
  await tx
    .insert(catalogModels)
    .values(rows)
    .onConflictDoUpdate({
      target: [catalogModels.provider, catalogModels.model],
      set: {
        lastSeenAt: at,
        status: sql`CASE WHEN ${catalogModels.pinned} THEN ${catalogModels.status} ELSE excluded.status END`,
        deprecatedOn: sql`CASE WHEN ${catalogModels.pinned} THEN ${catalogModels.deprecatedOn} ELSE excluded.deprecated_on END`,
        retiresOn: sql`CASE WHEN ${catalogModels.pinned} THEN ${catalogModels.retiresOn} ELSE excluded.retires_on END`,
        replacement: sql`CASE WHEN ${catalogModels.pinned} THEN ${catalogModels.replacement} ELSE excluded.replacement END`,
      },
    })
  // What the provider no longer lists can no longer be called.
  await tx
    .update(catalogModels)
    .set({ status: 'retired' })
    .where(
      and(
        eq(catalogModels.source, name),
        eq(catalogModels.pinned, false),
        notInArray(
          catalogModels.model,
          listed.map(({ model }) => model),
        ),
      ),
    )
  const good = { healthy: true, error: null, models: listed.length, checkedAt: at, succeededAt: at }
  await tx
    .insert(modelSources)
    .values({ name, ...good })
    .onConflictDoUpdate({ target: modelSources.name, set: good })
}
