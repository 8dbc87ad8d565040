import { and, desc, eq, inArray, notInArray, or, sql } from 'drizzle-orm'
import { recordChange } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import type { z } from 'zod'
import type { StoredCatalogModel, LifecycleEdit, StoredModelSource } from '../contract/models.ts'
import { catalogModels, modelSources } from '../schema.ts'
import { priceOf } from './prices.ts'
import { parseRef, type ModelStep } from './reference.ts'

type Row = typeof catalogModels.$inferSelect

const toCatalogModel = (row: Row, at: Date): StoredCatalogModel => ({
  ...row,
  // A date passes without a sync.
  status: row.retiresOn !== null && row.retiresOn <= at.toISOString().slice(0, 10) ? 'retired' : row.status,
  priced: priceOf(row.provider, row.model, at) !== null,
})

/** In the order of `models`. Those that no source lists count as active. */
export async function lifecycleOf(db: Database, models: readonly ModelStep[], at: Date): Promise<StoredCatalogModel[]> {
  if (models.length === 0) return []
  const rows = await db
    .select()
    .from(catalogModels)
    .where(or(...models.map(isModel)))
  return models.map(({ provider, model }) => {
    const row = rows.find((each) => each.provider === provider && each.model === model)
    if (row) return toCatalogModel(row, at)
    const unlisted = { status: 'active', deprecatedOn: null, retiresOn: null, replacement: null } as const
    const priced = priceOf(provider, model, at) !== null
    return { provider, model, ...unlisted, source: 'none', priced, firstSeenAt: null }
  })
}

const isModel = ({ provider, model }: ModelStep) =>
  and(eq(catalogModels.provider, provider), eq(catalogModels.model, model))

/** Models that a source lists and that aren’t configured, newest first. */
export async function listCandidates(
  db: Database,
  configured: readonly string[],
  at: Date,
): Promise<StoredCatalogModel[]> {
  const ref = sql<string>`${catalogModels.provider} || '/' || ${catalogModels.model}`
  const rows = await db
    .select()
    .from(catalogModels)
    .where(
      and(
        inArray(catalogModels.status, ['active', 'preview']),
        configured.length > 0 ? notInArray(ref, [...configured]) : undefined,
      ),
    )
    .orderBy(desc(catalogModels.firstSeenAt), catalogModels.provider, catalogModels.model)
    .limit(50)
  return rows.map((row) => toCatalogModel(row, at))
}

export const listSources = (db: Database): Promise<StoredModelSource[]> =>
  db.select().from(modelSources).orderBy(modelSources.name)

/** Entered by a person, so that a sync doesn't change it. */
export async function setLifecycle(
  { db, now }: Pick<Call, 'db' | 'now'>,
  { provider, model, ...edit }: z.output<typeof LifecycleEdit>,
): Promise<StoredCatalogModel> {
  const [before] = await db.select().from(catalogModels).where(isModel({ provider, model })).for('update')
  const values = { ...edit, pinned: true, lastSeenAt: now() }
  const [row] = await db
    .insert(catalogModels)
    .values({ provider, model, source: 'manual', ...values })
    .onConflictDoUpdate({ target: [catalogModels.provider, catalogModels.model], set: values })
    .returning()
  if (!row) throw new Error('The lifecycle was not written')
  recordChange(db, { object: 'model', before, after: row })
  return toCatalogModel(row, now())
}

export const refsToSteps = (refs: readonly string[]): ModelStep[] => refs.map(parseRef)
