import type { Reply, Stream } from '#lib/reply.ts'
import { EmbeddingRequest, openAiEmbeddings } from '../providers/openai/embeddings.ts'
import type { Candidate } from './candidates.ts'
import { withoutQuery } from './chat.ts'
import { deliver } from './deliver.ts'
import { dryRunReply } from './dry-run.ts'
import { noFrames } from './encoder.ts'
import { exchange } from './exchange.ts'
import { unsupportedParameter } from './problems.ts'
import type { AiCall, Inquiry } from './types.ts'

export async function embed(call: AiCall, given: EmbeddingRequest): Promise<Reply<Record<string, unknown>> | Stream> {
  const { metadata, ...request } = withoutQuery(call, given, EmbeddingRequest.shape)
  const inquiry: Inquiry<never> = {
    requested: request.model,
    kinds: ['embedding'],
    bound: { inputTokens: tokensOf(request.input), hasImages: false, hasAudio: false, maxOutput: 0, choices: 1 },
    streams: false,
    metadata: metadata ?? {},
    adapt: (candidate) => openAiEmbeddings({ ...request, model: requireOpenAi(candidate).model }, candidate.model),
  }
  return (await dryRunReply(call, inquiry)) ?? deliver(await exchange(call, inquiry), noFrames)
}

/** @throws {Problem} 400 for a provider whose API has no such route */
export function requireOpenAi(candidate: Candidate): Candidate {
  if (candidate.dialect === 'openai') return candidate
  throw unsupportedParameter('model', `${candidate.provider} has no models for this.`)
}

/** At most: numbers are tokens, and each byte of text can be one. */
function tokensOf(input: EmbeddingRequest['input']): number {
  if (typeof input === 'string') return Buffer.byteLength(input) + 8
  return input.reduce<number>((sum, each) => {
    if (typeof each === 'number') return sum + 1
    return sum + 8 + (typeof each === 'string' ? Buffer.byteLength(each) : each.length)
  }, 8)
}
