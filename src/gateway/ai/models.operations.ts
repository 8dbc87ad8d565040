import { z } from 'zod'
import { operation } from '#lib/operation.ts'
import { getModel, listModels } from './models.ts'
import { listingRoute } from './route.ts'

const Model = z.looseObject({ id: z.string(), object: z.literal('model'), created: z.int(), owned_by: z.string() })

export const listAiModels = operation({
  ...listingRoute,
  route: 'GET /api/ai/models',
  aliases: ['/api/ai/v1/models'],
  summary: 'List models',
  input: z.object({}),
  output: z.object({ object: z.literal('list'), data: z.array(Model) }),
  run: async (call) => ({ object: 'list' as const, data: await listModels(call) }),
})

export const getAiModel = operation({
  ...listingRoute,
  route: 'GET /api/ai/models/:model',
  aliases: ['/api/ai/v1/models/:model'],
  summary: 'Get a model',
  input: z.object({ model: z.string().min(1).max(241) }),
  output: Model,
  run: async (call) => getModel(call, call.input.model),
})
