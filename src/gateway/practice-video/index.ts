import type { Context } from '#lib/context.ts'
import { foldModules } from '#lib/module.ts'
import { practiceVideoEndpoints } from './endpoints.ts'
import * as practiceVideoOperations from './practice-video.operations.tsx'
import * as practiceVideoPages from './practice-video.pages.tsx'

/** A video platform for development and tests, in the wire format of YouTube's Data API (GTW-43). */
export const practiceVideo: Context = {
  slug: 'platform-gateway',
  group: 'gateway',
  webhooks: [],
  endpoints: practiceVideoEndpoints,
  ...foldModules([{ operations: [practiceVideoOperations], pages: [practiceVideoPages] }]),
}
