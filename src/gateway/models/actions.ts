import { isNotNull } from 'drizzle-orm'
import type { Config } from '#config'
import { transact, type Database } from '#lib/db.ts'
import { listCauses, raiseAction, resolveAction } from '#lib/raised-actions.ts'
import { modelKind } from '../notification-kinds.ts'
import { modelRoutes } from '../schema.ts'
import { lifecycleOf, refsToSteps } from './catalog.ts'
import { readSettings } from './choose.ts'
import { customPriceOf } from './custom-prices.ts'
import { priceOf } from './prices.ts'
import { refOf } from './reference.ts'

const noticeMs = 60 * 24 * 60 * 60_000

/** Tells organizations which of the models that they chose end within 60 days, or have no price (GTW-22). */
export async function raiseModelActions(db: Database, { offlineHelps }: Pick<Config, 'offlineHelps'>, at: Date) {
  const chosen = await db
    .selectDistinct({ organizationId: modelRoutes.organizationId })
    .from(modelRoutes)
    .where(isNotNull(modelRoutes.organizationId))
  const raised = new Set<string>()
  for (const { organizationId } of chosen)
    if (organizationId !== null)
      for (const cause of await raiseFor(db, organizationId, offlineHelps, at)) raised.add(cause)
  for (const prefix of Object.values(prefixes))
    for (const cause of await listCauses(db, prefix)) if (!raised.has(cause)) await resolveAction(db, cause)
}

const prefixes = { retires: 'model-retires:', unpriced: 'model-unpriced:' }

const causeOf = (prefix: string, organizationId: string, ref: string): string =>
  `${prefix}${organizationId}:${ref}`.slice(0, 200)

/** Returns the causes that are open. What isn't chosen anymore is resolved together with them. */
async function raiseFor(db: Database, organizationId: string, offlineHelps: boolean, at: Date): Promise<string[]> {
  const open: string[] = []
  const { routing, prices } = await readSettings(db, organizationId, offlineHelps)
  const refs = [...new Set(routing.own.flatMap(({ models }) => models))]
  const models = await lifecycleOf(db, refsToSteps(refs), at)
  const soon = new Date(at.getTime() + noticeMs).toISOString().slice(0, 10)
  await transact(db, async (tx) => {
    for (const model of models) {
      const ref = refOf(model)
      const ends = model.status === 'retired' || (model.retiresOn !== null && model.retiresOn <= soon)
      const ending = causeOf(prefixes.retires, organizationId, ref)
      if (ends) {
        open.push(ending)
        await raise(tx, {
          organizationId,
          cause: ending,
          model,
          dueAt: model.retiresOn === null || model.status === 'retired' ? null : new Date(model.retiresOn),
          title: model.retiresOn
            ? `${model.model} retires on ${model.retiresOn}`
            : `${model.model} is no longer offered`,
          reason: model.replacement
            ? `Your organization still uses it. Its replacement is ${model.replacement}.`
            : 'Your organization still uses it. Choose another model.',
        })
      }
      const unpriced = causeOf(prefixes.unpriced, organizationId, ref)
      const price =
        customPriceOf(prices, { ...model, level: 'organization' }, at) ?? priceOf(model.provider, model.model, at)
      if (price === null) {
        open.push(unpriced)
        await raise(tx, {
          organizationId,
          cause: unpriced,
          model,
          title: `${model.model} has no price`,
          reason: 'Hard limits refuse its calls until it has one. Set a price, or use another model.',
        })
      }
    }
  })
  return open
}

interface ModelAction {
  organizationId: string
  cause: string
  title: string
  reason: string
  model: { provider: string; model: string }
  dueAt?: Date | null
}

const place = '/gateway/models'

const raise = (db: Database, { model, ...action }: ModelAction): Promise<void> =>
  raiseAction(db, {
    ...action,
    kind: modelKind,
    href: place,
    actions: [
      { label: 'Change models', method: 'GET', href: place, style: 'primary' },
      { label: 'See the model', method: 'GET', href: hrefOf(model) },
    ],
  })

const hrefOf = ({ provider, model }: { provider: string; model: string }): string =>
  `${place}/${encodeURIComponent(provider)}/${encodeURIComponent(model)}`
