import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { Timestamp } from '#lib/time.ts'
import { Media } from './media.ts'

export const ImageSize = z.enum(['1024x1024', '1024x1536', '1536x1024'])
export type ImageSize = z.infer<typeof ImageSize>

export const ImageStatus = z.enum(['generating', 'completed', 'failed'])
export type ImageStatus = z.infer<typeof ImageStatus>

const CostNanoUsd = z.int().nullable()

/** Saved, whether it succeeded or not. */
export const ImageGeneration = z.object({
  id: Id,
  brandId: Id,
  prompt: z.string(),
  size: ImageSize,
  count: z.int().describe('How many images were asked for.'),
  requestedModel: z.string().nullable().describe('The model that the request named; null for the organization’s.'),
  model: z.string().nullable().describe('The model that answered, as provider/model.'),
  costNanoUsd: CostNanoUsd.describe('Null while it isn’t known, and when nothing was charged.'),
  status: ImageStatus,
  images: z.array(Media).describe('Those that are in the library.'),
  failure: z.object({ code: z.string(), message: z.string() }).nullable(),
  createdBy: Id,
  createdByName: z.string().nullable().describe('Null for services and deleted accounts.'),
  service: z.string().nullable().describe('The service that asked for it.'),
  createdAt: Timestamp,
  finishedAt: Timestamp.nullable(),
})
export type ImageGeneration = z.output<typeof ImageGeneration>

export const ImageBudget = z.object({
  family: z.string().nullable(),
  period: z.string(),
  limitNanoUsd: z.int(),
  spentNanoUsd: z.int(),
  reservedNanoUsd: z.int(),
  resetsAt: Timestamp.nullable(),
})
export type ImageBudget = z.output<typeof ImageBudget>

/** What can be generated with, for the form. */
export const ImageModels = z.object({
  brand: z.object({ id: Id, name: z.string(), colors: z.array(z.string()) }),
  models: z
    .array(
      z.object({
        model: z.string(),
        isDefault: z.boolean().describe('Used when a request names none.'),
        costNanoUsd: CostNanoUsd.describe('Per image, as the latest one of the organization cost.'),
      }),
    )
    .describe('The organization’s model first, then those that a request can name.'),
  unavailable: z
    .object({ code: z.string(), message: z.string() })
    .nullable()
    .describe('Why a request without a model would be refused now.'),
  budget: ImageBudget.nullable().describe(
    'The enforced budget with the least left; null for callers who are limited to brands.',
  ),
  can: z.object({ generate: z.boolean(), override: z.boolean(), setUp: z.boolean() }),
})
export type ImageModels = z.output<typeof ImageModels>
