import { eq } from 'drizzle-orm'
import type { GeneratedImages } from '#gateway'
import type { Actor } from '#lib/actor.ts'
import { auditedTransaction, recordChange } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import { forbidden, invalid, notFound, Problem } from '#lib/errors.ts'
import { newId } from '#lib/ids.ts'
import { logFault } from '#lib/log/fault.ts'
import { boundBrands, readPermissions } from '../access.ts'
import * as brands from '../brands/brands.ts'
import { requireRoom } from '../media/library/storage.ts'
import { brands as brandTable, imageGenerations } from '../schema.ts'
import { announce } from './announce.ts'
import { problemOf } from './failures.ts'
import { present, type GenerationRow, type StoredGeneration } from './generations.ts'
import type { ImageOrder } from './input.ts'
import { keepLease, leaseEnd } from './lease.ts'
import { complete, fail, type Running } from './settle.ts'
import { storeAll } from './store.ts'

/** @throws {Problem} 403 without `images:override` where a model is named, and as `generate` */
export async function generateForBrand(call: Call<ImageOrder, Actor>): Promise<StoredGeneration> {
  const { db, actor, input } = call
  const brand = await brands.get(db, actor, input.brandId)
  if (actor.credential.test)
    throw new Problem(403, 'test_key_not_allowed', 'Test keys can’t generate images, which cost money. Use a live key.')
  if (input.model !== undefined && !(await readPermissions(call))('images:override', brand.id))
    throw forbidden('images:override')
  const { id, principalType } = actor.principal
  const userId = principalType === 'user' ? id : null
  return generate(call, brand, { createdBy: id, userId, service: null, seesBudget: boundBrands(actor) === null })
}

/** The same for a service, in any organization. @throws {Problem} as `generate` */
export async function generateForService(
  call: Call<ImageOrder & { userId?: string }, Actor>,
): Promise<StoredGeneration> {
  const { db, actor, input } = call
  const [brand] = await db.select().from(brandTable).where(eq(brandTable.id, input.brandId))
  if (!brand) throw notFound('brand')
  const { userId = null } = input
  if (userId !== null && !(await call.identity.isMember(brand.organizationId, userId)))
    throw invalid([{ path: 'userId', message: 'Must be a member of the brand’s organization.' }])
  return generate(call, brand, {
    createdBy: userId ?? actor.principal.id,
    userId,
    service: actor.service,
    seesBudget: true,
  })
}

interface Origin {
  createdBy: string
  /** The user that the usage is attributed to. */
  userId: string | null
  service: string | null
  seesBudget: boolean
}

/**
 * One call of the gateway, never repeated (SOC-39). It doesn't end with the caller's request, since it costs money: the
 * images are in the library then. @throws {Problem} as the gateway, and 502 `no_image`
 */
async function generate(call: Call<ImageOrder>, brand: brands.BrandRow, origin: Origin): Promise<StoredGeneration> {
  const { db, now, gateway, identity, input } = call
  const applicationId = await identity.serviceId('platform-socialize')
  const generation = await begin(call, brand, origin)
  const endLease = keepLease(db, now, generation.id)
  let answer: GeneratedImages | null = null
  try {
    answer = await gateway.images.generate(
      { organizationId: brand.organizationId, applicationId, userId: origin.userId },
      {
        prompt: promptOf(input, brand),
        size: input.size,
        count: input.count,
        ...(input.model !== undefined && { model: input.model }),
      },
    )
    const stored = await storeAll(call, brand, answer.images.slice(0, input.count))
    const completed = await complete(call, { generation, brand }, stored, answer)
    const [presented] = await present(call, [completed])
    if (!presented) throw new Error('A generation was not presented')
    return presented
  } catch (error) {
    throw await settleFailure(call, { generation, brand }, problemOf(error, origin), answer)
  } finally {
    endLease()
  }
}

async function settleFailure(
  call: Call,
  running: Running,
  { problem, saved }: ReturnType<typeof problemOf>,
  answer: GeneratedImages | null,
): Promise<unknown> {
  const { model, costNanoUsd } = answer ?? { model: null, costNanoUsd: null }
  // When this fails too, the generation fails with its lease.
  await fail(call, running, saved, { model, costNanoUsd }).catch((cause: unknown) =>
    logFault(call.log, 'failed generation not stored', cause, { id: running.generation.id }),
  )
  return problem
}

/** Of an image, about. */
const expectedBytes = 2_000_000

const begin = (
  call: Call<ImageOrder>,
  { id: brandId, organizationId }: brands.BrandRow,
  { createdBy, service }: Origin,
): Promise<GenerationRow> =>
  auditedTransaction(call, async (tx) => {
    const { prompt, size, count, model } = call.input
    // Before anything is paid: what arrives is kept even when it needs more.
    await requireRoom(tx, call.config, organizationId, { length: count * expectedBytes })
    const values = { id: newId(), brandId, createdBy, service, prompt, size, count, requestedModel: model ?? null }
    const times = { createdAt: call.now(), leaseUntil: leaseEnd(call.now) }
    const [row] = await tx
      .insert(imageGenerations)
      .values({ ...values, ...times })
      .returning()
    if (!row) throw new Error('A generation was not stored')
    recordChange(tx, { object: 'image generation', id: row.id, after: row, organizationId })
    await announce(tx, call, row)
    return row
  })

const promptOf = ({ prompt, useBrandColors }: ImageOrder, { colors }: brands.BrandRow): string =>
  useBrandColors && colors.length > 0 ? `${prompt}\n\nUse these colors: ${colors.join(', ')}.` : prompt
