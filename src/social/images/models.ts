import { desc, eq, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { ImageLimit } from '#gateway'
import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { Problem } from '#lib/errors.ts'
import { boundBrands, readPermissions } from '../access.ts'
import * as brands from '../brands/brands.ts'
import type { ImageModels } from '../contract.ts'
import { brands as brandTable, imageGenerations } from '../schema.ts'
import { withoutAmounts } from './failures.ts'

/** With dates, before it is sent. */
type StoredModels = z.input<typeof ImageModels>

/** Doesn't fail while the gateway can't be used: `unavailable` says why. @throws {Problem} 404 */
export async function readModels(call: Call<{ brandId: string }, Actor>): Promise<StoredModels> {
  const { db, actor, input, identity } = call
  const brand = await brands.get(db, actor, input.brandId)
  const [can, applicationId] = await Promise.all([readPermissions(call), identity.serviceId('platform-socialize')])
  const { organizationId } = brand
  const [choice, limits, costs] = await Promise.all([
    orProblem(call.gateway.images.listModels(organizationId)),
    orProblem(call.gateway.images.check({ organizationId, applicationId, userId: null })),
    readCosts(db, organizationId),
  ])
  const seesBudget = boundBrands(actor) === null
  const found = limits instanceof Problem ? limits : choice instanceof Problem ? choice : null
  const problem = found && (seesBudget ? found : withoutAmounts(found))
  const { chain, models } = choice instanceof Problem ? { chain: [], models: [] } : choice
  return {
    brand: { id: brand.id, name: brand.name, colors: brand.colors },
    models: [...new Set([...chain.slice(0, 1), ...models])].map((model) => ({
      model,
      isDefault: model === chain[0],
      costNanoUsd: costs.get(model) ?? null,
    })),
    unavailable: problem && { code: problem.code, message: problem.message },
    budget: limits instanceof Problem || !seesBudget ? null : tightest(limits),
    can: {
      generate: can('posts:write', brand.id),
      override: can('images:override', brand.id),
      setUp: actor.organization?.role === 'owner' || actor.organization?.role === 'admin',
    },
  }
}

const orProblem = <Result>(promise: Promise<Result>): Promise<Result | Problem> =>
  promise.catch((error: unknown) => {
    if (error instanceof Problem) return error
    throw error
  })

/** Of an image, by the latest generation of each model. */
async function readCosts(db: Database, organizationId: string): Promise<Map<string, number>> {
  const own = db.select({ id: brandTable.id }).from(brandTable).where(eq(brandTable.organizationId, organizationId))
  const recent = await db
    .select({ model: imageGenerations.model, cost: imageGenerations.costNanoUsd, count: imageGenerations.count })
    .from(imageGenerations)
    .where(sql`${imageGenerations.brandId} IN ${own} AND ${imageGenerations.status} = 'completed'`)
    .orderBy(desc(imageGenerations.id))
    .limit(50)
  const costs = new Map<string, number>()
  for (const { model, cost, count } of recent)
    if (model !== null && cost !== null && !costs.has(model)) costs.set(model, Math.round(cost / count))
  return costs
}

function tightest(limits: readonly ImageLimit[]): StoredModels['budget'] {
  const [first] = limits
    .flatMap(({ mode, remainingNanoUsd, limitNanoUsd, spentNanoUsd, reservedNanoUsd, ...limit }) =>
      mode !== 'hard' || remainingNanoUsd === null || limitNanoUsd === null
        ? []
        : [
            {
              ...limit,
              remainingNanoUsd,
              limitNanoUsd,
              spentNanoUsd: spentNanoUsd ?? 0,
              reservedNanoUsd: reservedNanoUsd ?? 0,
            },
          ],
    )
    .toSorted((one, other) => one.remainingNanoUsd - other.remainingNanoUsd)
  if (!first) return null
  const { family, period, limitNanoUsd, spentNanoUsd, reservedNanoUsd, resetsAt } = first
  return {
    family,
    period,
    limitNanoUsd,
    spentNanoUsd,
    reservedNanoUsd,
    resetsAt: resetsAt === null ? null : new Date(resetsAt),
  }
}
