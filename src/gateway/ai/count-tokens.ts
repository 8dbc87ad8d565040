import { z } from 'zod'
import { reply, type Reply } from '#lib/reply.ts'
import type { Adapter } from '../providers/adapter.ts'
import { CountTokensRequest } from '../providers/anthropic/types.ts'
import { noParts } from '../providers/map-adapter.ts'
import { attempt } from './attempt.ts'
import type { Candidate } from './candidates.ts'
import { withoutQuery } from './chat.ts'
import { planExchange } from './exchange.ts'
import { betaHeaders, sizeOfMessages } from './messages.ts'
import type { AiCall } from './types.ts'

const bytesPerToken = 4
/** Of a provider that says why it doesn’t accept the messages. */
const refusals = [400, 413, 422]

const Count = z.looseObject({ input_tokens: z.int().min(0) })
type Count = z.output<typeof Count>

/** By the model’s provider where it speaks Anthropic’s API, whose count is free; elsewhere, or when it fails, an estimate. */
export async function countTokens(call: AiCall, given: CountTokensRequest): Promise<Reply<Count>> {
  const request = withoutQuery(call, given, CountTokensRequest.shape)
  const { attribution, candidates } = await planExchange(call, {
    requested: request.model,
    kinds: ['text', 'short-text'],
  })
  const [first] = candidates
  const counted = first?.dialect === 'anthropic' ? await askProvider(call, request, first, attribution) : null
  const estimate = { input_tokens: Math.ceil((sizeOfMessages(request).tokens ?? 0) / bytesPerToken) }
  return reply(200, counted ?? estimate, { headers: { 'x-atrium-token-count': counted ? 'provider' : 'estimate' } })
}

/** Null when it has no count. @throws {Problem} of the provider for messages that it doesn’t accept */
async function askProvider(
  call: AiCall,
  request: CountTokensRequest,
  candidate: Candidate,
  { organizationId }: { organizationId: string },
): Promise<Count | null> {
  if (call.upstreams.breakers.stateOf(candidate.circuit).state === 'open') return null
  const body = JSON.stringify({ ...request, model: candidate.model })
  const adapter: Adapter<never> = {
    path: '/messages/count_tokens',
    headers: betaHeaders(call.request.headers),
    body: () => body,
    read: (json) => ({ body: Count.parse(json), usage: null, outputBytes: 0 }),
    parts: noParts,
  }
  const counted = await attempt(call, { organizationId, candidate, adapter, body, streams: false })
  if (counted.kind === 'failed') {
    const { problem } = counted.failure
    if (problem.code === 'provider_refused' && refusals.includes(problem.status)) throw problem
    return null
  }
  return counted.kind === 'answer' ? Count.parse(counted.answer.body) : null
}
