import { z } from 'zod'
import type { Provided } from '#lib/call.ts'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { listOf } from '#lib/paginate.ts'
import { reply } from '#lib/reply.ts'
import { GenerateDialog } from '#views/social/images/generate-dialog.tsx'
import { GenerationCard, Generations } from '#views/social/images/generations.tsx'
import { ImageGeneration, ImageModels } from '../contract.ts'
import { imageProblems } from './failures.ts'
import { generateForBrand, generateForService } from './generate.ts'
import * as generations from './generations.ts'
import { ImageFilter, ImageOrder, OperatorImageOrder } from './input.ts'
import { readModels } from './models.ts'

/** For the gateway, and for storing what it responded. */
const timeout = ({ config }: Provided) => 2 * config.AI_RESPONSE_MS + 4 * config.IMAGE_WAIT_MS + 30_000

const generating = {
  output: ImageGeneration,
  creates: true,
  limit: 'ai',
  // Models are called between its steps.
  transaction: false,
  timeout,
  problems: imageProblems,
} as const

export const listImageGenerations = operation({
  route: 'GET /api/images',
  summary: 'List generated images',
  permission: 'posts:read',
  machine: true,
  input: ImageFilter,
  output: listOf(ImageGeneration),
  run: (call) => generations.list(call, call.input),
  view: (list, { input: { brandId, status, cursor } }) => (
    <Generations {...list} filter={{ brandId, status, cursor }} />
  ),
})

export const generateImages = operation({
  route: 'POST /api/images',
  summary: 'Create images for posts',
  permission: 'posts:write',
  machine: true,
  input: ImageOrder,
  ...generating,
  run: async (call) => {
    const generation = await generateForBrand(call)
    return reply(201, generation, {
      next: `/workspace/images?brandId=${generation.brandId}`,
      toast: 'Saved to the library',
    })
  },
  view: async ({ brandId }, { ask }) => (
    <Generations {...await ask(listImageGenerations, { brandId })} filter={{ brandId }} />
  ),
})

export const generateImagesForOperator = operation({
  route: 'POST /api/internal/images',
  summary: 'Create images for posts as a service',
  permission: 'service',
  input: OperatorImageOrder,
  ...generating,
  run: generateForService,
})

export const getImageGeneration = operation({
  route: 'GET /api/images/:id',
  summary: 'Get generated images',
  permission: 'posts:read',
  machine: true,
  input: z.object({ id: Id }),
  output: ImageGeneration,
  run: (call) => generations.get(call, call.input.id),
  view: (generation) => <GenerationCard generation={generation} />,
})

export const deleteImageGeneration = operation({
  route: 'DELETE /api/images/:id',
  summary: 'Delete a saved generation',
  permission: 'posts:write',
  machine: true,
  input: z.object({ id: Id }),
  output: z.null(),
  problems: { generation_in_progress: 409 },
  run: async (call) => {
    await generations.remove(call, call.input.id)
    return reply(204, null, { toast: 'Deleted', next: '/workspace/images' })
  },
  view: () => <></>,
})

export const getImageModels = operation({
  route: 'GET /api/image-models',
  summary: 'Get the models that generate images',
  permission: 'posts:read',
  machine: true,
  input: z.object({ brandId: Id }),
  output: ImageModels,
  run: readModels,
  view: (models) => <GenerateDialog models={models} />,
})
