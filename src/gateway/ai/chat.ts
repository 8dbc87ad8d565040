import type { Reply, Stream } from '#lib/reply.ts'
import type { Adapter } from '../providers/adapter.ts'
import { anthropicChat } from '../providers/anthropic/chat.ts'
import { openAiChat } from '../providers/openai/chat.ts'
import { ChatRequest, type ChatChunk } from '../providers/openai/chat-types.ts'
import type { Bound } from './bound.ts'
import type { Candidate } from './candidates.ts'
import { deliver } from './deliver.ts'
import { dryRunReply } from './dry-run.ts'
import { exchange } from './exchange.ts'
import { sizeOf } from './input-size.ts'
import { unsupportedParameter } from './problems.ts'
import type { AiCall, Inquiry } from './types.ts'
import { chatEncoder } from './wire/chat.ts'

export async function chat(call: AiCall, given: ChatRequest): Promise<Reply<Record<string, unknown>> | Stream> {
  const inquiry = inquireChat(withoutQuery(call, given, ChatRequest.shape))
  return (await dryRunReply(call, inquiry)) ?? deliver(await exchange(call, inquiry), chatEncoder(given))
}

/** The kernel merges the query into the body, but providers refuse fields that they don’t know: others than `known`. */
export function withoutQuery<Given extends object>({ request }: AiCall, given: Given, known: object): Given {
  if (request.url.search === '') return given
  const names = new Set(request.url.searchParams.keys().filter((name) => !Object.hasOwn(known, name)))
  if (names.size === 0) return given
  const copy = { ...given }
  for (const name of names) Reflect.deleteProperty(copy, name)
  return copy
}

export function inquireChat({ metadata, ...request }: ChatRequest): Inquiry<ChatChunk> {
  requireBounded(request)
  return {
    requested: request.model,
    kinds: ['text', 'short-text'],
    bound: boundOf(request),
    streams: request.stream === true,
    metadata: metadata ?? {},
    adapt: (candidate) => adaptChat(request, candidate),
  }
}

const adaptChat = (request: ChatRequest, { provider, model, dialect }: Candidate): Adapter<ChatChunk> =>
  dialect === 'anthropic' ? anthropicChat(request, model) : openAiChat(request, model, provider)

function boundOf(request: ChatRequest): Bound {
  const { messages, tools, response_format: format, functions, ...others } = request
  const { tokens, hasImages, hasAudio } = sizeOf(messages, [tools, format, functions], others)
  const { max_completion_tokens, max_tokens, n } = request
  const maxOutput = max_completion_tokens ?? max_tokens ?? null
  return { inputTokens: tokens, hasImages, hasAudio, maxOutput, choices: n ?? 1 }
}

const unbounded: Readonly<Record<string, string>> = {
  web_search_options: 'the cost of searches has no bound.',
  prediction: 'the cost of rejected predictions has no bound.',
  audio: 'responses are text only.',
  models: 'fallbacks are those of the organization’s model preferences.',
  plugins: 'their cost has no bound.',
  search_parameters: 'the cost of searches has no bound.',
}

const unboundedFields = Object.entries(unbounded)

/** @throws {Problem} 400 for what could cost more than was reserved */
function requireBounded(request: ChatRequest): void {
  for (const [name, why] of unboundedFields)
    if (request[name] !== undefined && request[name] !== null) throw unsupportedParameter(name, why)
  const tier = request['service_tier']
  if (typeof tier === 'string' && tier !== 'auto' && tier !== 'default')
    throw unsupportedParameter('service_tier', 'only auto and default have known prices.')
  if (request.tools?.some(({ type }) => type !== 'function' && type !== 'custom'))
    throw unsupportedParameter(
      'tools',
      'only function and custom tools are supported: the cost of others has no bound.',
    )
}
