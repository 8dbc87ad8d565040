import type { Reply, Stream } from '#lib/reply.ts'
import { nativeMessages } from '../providers/anthropic/native.ts'
import { MessagesRequest, type CountTokensRequest, type MessageEvent } from '../providers/anthropic/types.ts'
import { openAiMessages } from '../providers/openai/messages.ts'
import { withoutQuery } from './chat.ts'
import { deliver } from './deliver.ts'
import { dryRunReply } from './dry-run.ts'
import { exchange } from './exchange.ts'
import { sizeOf, type InputSize } from './input-size.ts'
import { unsupportedParameter } from './problems.ts'
import type { AiCall, Inquiry } from './types.ts'
import { messagesEncoder } from './wire/messages.ts'

export async function createMessageReply(
  call: AiCall,
  given: MessagesRequest,
): Promise<Reply<Record<string, unknown>> | Stream> {
  const inquiry = inquireMessages(call, withoutQuery(call, given, MessagesRequest.shape))
  return (await dryRunReply(call, inquiry)) ?? deliver(await exchange(call, inquiry), messagesEncoder())
}

function inquireMessages(call: AiCall, request: MessagesRequest): Inquiry<MessageEvent> {
  requireBounded(request)
  const { tokens, ...kinds } = sizeOfMessages(request)
  return {
    requested: request.model,
    kinds: ['text', 'short-text'],
    bound: { inputTokens: tokens, ...kinds, maxOutput: maxOutputOf(request), choices: 1 },
    streams: request.stream === true,
    adapt: ({ dialect, model, provider }) =>
      dialect === 'anthropic'
        ? nativeMessages(request, model, betaHeaders(call.request.headers))
        : openAiMessages(request, model, provider),
  }
}

/** With interleaved thinking its budget can be more than `max_tokens`. */
function maxOutputOf({ max_tokens: maxTokens, thinking }: MessagesRequest): number {
  const budget: unknown = Reflect.get(Object(thinking), 'budget_tokens')
  return typeof budget === 'number' ? Math.max(maxTokens, Math.ceil(budget)) : maxTokens
}

/** Previews that the caller uses, which Anthropic turns on by a header. */
export function betaHeaders(headers: Headers): Record<string, string> {
  const beta = headers.get('anthropic-beta')
  return beta !== null && /^[\w, .-]{1,500}$/.test(beta) ? { 'anthropic-beta': beta } : {}
}

/** Tools that run at the provider can cost any amount. */
function requireBounded({ tools, ...request }: MessagesRequest): void {
  for (const { type } of tools ?? [])
    if (typeof type === 'string' && type !== 'custom')
      throw unsupportedParameter('tools', `${type} runs at the provider, so its cost has no bound.`)
  for (const [name, usual] of [
    ['speed', 'standard'],
    ['inference_geo', 'global'],
  ] as const)
    if (request[name] !== undefined && request[name] !== null && request[name] !== usual)
      throw unsupportedParameter(name, `only ${usual} has a known price.`)
  for (const name of ['mcp_servers', 'container'])
    if (request[name] !== undefined && request[name] !== null)
      throw unsupportedParameter(name, 'its cost has no bound.')
}

export const sizeOfMessages = ({
  messages,
  system,
  tools,
  ...others
}: MessagesRequest | CountTokensRequest): InputSize => sizeOf(messages, [system, tools], others)
