import { eq } from 'drizzle-orm'
import { auditedTransaction, recordChange } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import type { Problem } from '#lib/errors.ts'
import { announce } from './announce.ts'
import type { BrandRow } from '../brands/brands.ts'
import { insertImage } from '../media/store-image.ts'
import { generatedImages, imageGenerations } from '../schema.ts'
import type { GenerationRow } from './generations.ts'
import { isGenerating } from './lease.ts'
import { imageNames } from './names.ts'
import type { StoredImage } from './store.ts'

const failedLifetimeMs = 30 * 24 * 60 * 60 * 1000

export interface Running {
  generation: GenerationRow
  brand: BrandRow
}

type Settled = Pick<GenerationRow, 'model' | 'costNanoUsd'>

export const failedFields = (at: Date) => ({
  status: 'failed' as const,
  leaseUntil: null,
  finishedAt: at,
  expiresAt: new Date(at.getTime() + failedLifetimeMs),
})

/** The media items and their generation in one transaction, also when it had been taken for interrupted. */
export const complete = (
  call: Call,
  { generation, brand: { organizationId } }: Running,
  stored: readonly StoredImage[],
  { model, costNanoUsd }: Settled,
): Promise<GenerationRow> =>
  auditedTransaction(call, async (tx) => {
    const at = call.now()
    const names = imageNames(generation, stored)
    const { createdBy, id: generationId } = generation
    const rows = []
    for (const [position, image] of stored.entries()) {
      const facts = { name: names[position] ?? '', alt: altOf(generation), createdBy, createdAt: at }
      const { id: mediaId } = await insertImage(tx, image, facts)
      rows.push({ generationId, position, mediaId })
    }
    const [after] = await tx
      .update(imageGenerations)
      .set({
        status: 'completed',
        leaseUntil: null,
        finishedAt: at,
        expiresAt: null,
        failureCode: null,
        failureMessage: null,
        model,
        costNanoUsd,
      })
      .where(eq(imageGenerations.id, generationId))
      .returning()
    if (!after) throw new Error('A generation was deleted while it ran')
    await tx.insert(generatedImages).values(rows)
    recordChange(tx, { object: 'image generation', id: generationId, before: generation, after, organizationId })
    await announce(tx, call, after)
    return after
  })

export const fail = (
  call: Call,
  { generation, brand: { organizationId } }: Running,
  { code, message }: Pick<Problem, 'code' | 'message'>,
  settled: Settled | null,
): Promise<void> =>
  auditedTransaction(call, async (tx) => {
    const [after] = await tx
      .update(imageGenerations)
      .set({ ...failedFields(call.now()), failureCode: code, failureMessage: message, ...settled })
      .where(isGenerating(generation.id))
      .returning()
    if (!after) return
    recordChange(tx, { object: 'image generation', id: after.id, before: generation, after, organizationId })
    await announce(tx, call, after)
  })

/** A suggestion, which people change where they use the image. */
const altOf = ({ prompt }: GenerationRow): string => prompt.slice(0, 1500).toWellFormed()
