import { z } from 'zod'
import type { Provided } from '#lib/call.ts'
import { aiProblems, anthropicError, openAiError } from './problems.ts'

const mebibyte = 1024 * 1024

/** What all AI routes share: bearer or `x-api-key`, people with `ai:invoke` and services (GTW-10). */
const shared = {
  permission: 'ai:invoke',
  services: true,
  keyHeader: 'x-api-key',
  limit: 'ai',
  transaction: false,
  // Each call is a usage record.
  audit: false,
  body: { limit: 32 * mebibyte },
  timeout: ({ config }: Provided) => 2 * config.AI_RESPONSE_MS,
  problems: aiProblems,
  // Fields that the OpenAI API has and this description doesn’t reach the provider unchanged.
  output: z.looseObject({}),
} as const

export const aiRoute = { ...shared, problemMembers: openAiError } as const
export const messagesRoute = { ...shared, problemMembers: anthropicError } as const

/** For any credential in an organization: names of models are no secret there. */
export const listingRoute = {
  permission: 'known',
  services: true,
  keyHeader: 'x-api-key',
  problems: { organization_required: 400, delegation_refused: 403, not_found: 404 },
  problemMembers: openAiError,
} as const

export const streams = { streamsOnRequest: 'text/event-stream' } as const

/** The same at `/api/ai/v1`, since some clients can’t leave the version out. */
export const alsoV1 = (path: string): { route: `POST /api/ai/${string}`; aliases: string[] } => ({
  route: `POST /api/ai/${path}`,
  aliases: [`/api/ai/v1/${path}`],
})

/**
 * A form with files, bounded as at OpenAI; or JSON. It is on disk before a provider is called: fields after a file decide
 * about the model and what it can cost, and the next model of the chain gets the same form.
 */
export const fileBody = { as: 'file', limit: 50 * mebibyte, onDisk: true } as const

export const audioBody = { as: 'file', limit: 25 * mebibyte, onDisk: true } as const
