import type { Context } from '#lib/context.ts'
import { foldModules } from '#lib/module.ts'
import { practiceModelEndpoints } from './endpoints.ts'
import * as practiceModelsOperations from './practice-models.operations.tsx'
import * as practiceModelsPages from './practice-models.pages.tsx'

/** A provider of models for development and tests, in the wire formats of OpenAI and Anthropic (GTW-11). */
export const practiceModels: Context = {
  slug: 'platform-gateway',
  group: 'gateway',
  webhooks: [],
  endpoints: practiceModelEndpoints,
  ...foldModules([{ operations: [practiceModelsOperations], pages: [practiceModelsPages] }]),
}
