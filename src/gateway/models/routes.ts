import { eq, isNull, or, sql } from 'drizzle-orm'
import { recordChange } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import { prepared, type Database } from '#lib/db.ts'
import { newId } from '#lib/ids.ts'
import { useCases, type StoredRoute, type UseCase } from '../contract/models.ts'
import { modelAllowLists, modelRoutes } from '../schema.ts'

/** The practice provider's, so that a new installation has an answer offline. */
const practiceDefaults: Record<UseCase, string[]> = {
  text: ['practice/practice-large', 'practice/practice-small'],
  'short-text': ['practice/practice-small'],
  image: ['practice/practice-image'],
  transcription: ['practice/practice-audio'],
  embedding: ['practice/practice-embedding'],
}

export interface Routing {
  readonly own: readonly StoredRoute[]
  readonly platform: readonly StoredRoute[]
  readonly allowed: readonly string[] | null
}

/** Null: only the platform's. */
export async function readRouting(
  db: Database,
  organizationId: string | null,
  offlineHelps: boolean,
): Promise<Routing> {
  const [rows, lists] = await Promise.all([
    routesOf(db).execute({ organizationId }),
    organizationId === null ? [] : allowListOf(db).execute({ organizationId }),
  ])
  const routesBy = (own: boolean) => rows.filter((row) => (row.organizationId !== null) === own)
  const platform = routesBy(false).map((row) => toRoute(row, 'platform'))
  return {
    own: routesBy(true).map((row) => toRoute(row, 'organization')),
    platform: [...platform, ...(offlineHelps ? missingRoutes(platform) : [])],
    allowed: lists[0]?.models ?? null,
  }
}

const routesOf = (db: Database) =>
  prepared(db, 'gateway_model_routes', () =>
    db
      .select()
      .from(modelRoutes)
      .where(or(isNull(modelRoutes.organizationId), eq(modelRoutes.organizationId, sql.placeholder('organizationId'))))
      .orderBy(modelRoutes.useCase),
  )

const allowListOf = (db: Database) =>
  prepared(db, 'gateway_model_allow_list', () =>
    db
      .select()
      .from(modelAllowLists)
      .where(eq(modelAllowLists.organizationId, sql.placeholder('organizationId'))),
  )

const toRoute = (
  { useCase, models, updatedBy, updatedAt }: typeof modelRoutes.$inferSelect,
  setBy: StoredRoute['setBy'],
): StoredRoute => ({ useCase, models, setBy, updatedBy, updatedAt })

const missingRoutes = (set: readonly StoredRoute[]): StoredRoute[] =>
  useCases
    .filter((useCase) => !set.some((route) => route.useCase === useCase))
    .map((useCase) => ({
      useCase,
      models: practiceDefaults[useCase],
      setBy: 'default',
      updatedBy: null,
      updatedAt: null,
    }))

/** The organization's route of each use case, else the platform's. */
export const effectiveRoutes = ({ own, platform }: Routing): StoredRoute[] => [
  ...own,
  ...platform.filter(({ useCase }) => !own.some((route) => route.useCase === useCase)),
]

type Change = Pick<Call, 'db' | 'now'> & { actor: { principal: { id: string } } }

/** Null removes a route. */
export async function saveRoutes(
  { db, actor, now }: Change,
  organizationId: string | null,
  routes: Partial<Record<UseCase, string[] | null>>,
): Promise<void> {
  for (const useCase of useCases) {
    const models = routes[useCase]
    if (models === undefined) continue
    const at =
      organizationId === null ? isNull(modelRoutes.organizationId) : eq(modelRoutes.organizationId, organizationId)
    const place = sql`${at} AND ${modelRoutes.useCase} = ${useCase}`
    const [before] = await db.select().from(modelRoutes).where(place).for('update')
    if (models === null) await db.delete(modelRoutes).where(place)
    else {
      const values = { models, updatedBy: actor.principal.id, updatedAt: now() }
      await db
        .insert(modelRoutes)
        .values({ id: newId(), organizationId, useCase, ...values })
        .onConflictDoUpdate({ target: [modelRoutes.organizationId, modelRoutes.useCase], set: values })
    }
    const named = (list: readonly string[] | null | undefined) => (list ? { useCase, models: list } : undefined)
    recordChange(db, {
      object: 'model_route',
      id: organizationId ?? undefined,
      before: named(before?.models),
      after: named(models),
    })
  }
}

/** Null allows every model. */
export async function saveAllowList(
  { db, actor, now }: Change,
  organizationId: string,
  models: string[] | null,
): Promise<void> {
  const at = eq(modelAllowLists.organizationId, organizationId)
  const [before] = await db.select().from(modelAllowLists).where(at).for('update')
  if (models === null) await db.delete(modelAllowLists).where(at)
  else {
    const values = { models, updatedBy: actor.principal.id, updatedAt: now() }
    await db
      .insert(modelAllowLists)
      .values({ organizationId, ...values })
      .onConflictDoUpdate({ target: modelAllowLists.organizationId, set: values })
  }
  recordChange(db, {
    object: 'model_allow_list',
    id: organizationId,
    before: before && { models: before.models },
    after: models ? { models } : undefined,
  })
}
