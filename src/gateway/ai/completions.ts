import { z } from 'zod'
import type { Reply, Stream } from '#lib/reply.ts'
import type { Adapter, Answer } from '../providers/adapter.ts'
import { mapAdapter, mapParts } from '../providers/map-adapter.ts'
import { ChatCompletion, ChatRequest, type ChatChunk } from '../providers/openai/chat-types.ts'
import { chat, inquireChat, withoutQuery } from './chat.ts'
import { deliver } from './deliver.ts'
import { dryRunReply } from './dry-run.ts'
import { exchange } from './exchange.ts'
import { unsupportedParameter } from './problems.ts'
import type { AiCall } from './types.ts'
import { chatEncoder } from './wire/chat.ts'

/** `messages` as for a chat completion, or `prompt` as in the older API. */
export const CompletionRequest = ChatRequest.extend({
  messages: ChatRequest.shape.messages.optional(),
  prompt: z.union([z.string(), z.array(z.string()).length(1, 'Must have one prompt.')]).optional(),
}).refine(
  ({ messages, prompt }) => (messages === undefined) !== (prompt === undefined),
  'Send either messages or prompt.',
)
type CompletionRequest = z.output<typeof CompletionRequest>

export async function complete(
  call: AiCall,
  { messages, prompt, ...given }: CompletionRequest,
): Promise<Reply<Record<string, unknown>> | Stream> {
  if (messages !== undefined) return chat(call, ChatRequest.parse({ ...given, messages }))
  for (const name of ['suffix', 'echo', 'best_of', 'logprobs'])
    if (given[name] !== undefined && given[name] !== null && given[name] !== false)
      throw unsupportedParameter(name, 'use chat completions instead.')
  const content = [prompt ?? ''].flat().join('')
  const request = withoutQuery(
    call,
    ChatRequest.parse({ ...given, messages: [{ role: 'user', content }] }),
    CompletionRequest.shape,
  )
  const inquiry = inquireChat(request)
  const asText = {
    ...inquiry,
    adapt: (candidate: Parameters<typeof inquiry.adapt>[0]) => toText(inquiry.adapt(candidate)),
  }
  return (await dryRunReply(call, asText)) ?? deliver(await exchange(call, asText), chatEncoder(request))
}

const toText = (adapter: Adapter<ChatChunk>): Adapter<ChatChunk> =>
  mapAdapter(adapter, { answer: textAnswer, parts: (parts) => mapParts(parts, textChunk) })

function textAnswer({ body, ...rest }: Answer): Answer {
  const { choices, ...completion } = ChatCompletion.parse(body)
  const texts = choices.map(({ message, finish_reason: reason }, index) => ({
    index,
    text: message.content ?? '',
    logprobs: null,
    finish_reason: reason ?? 'stop',
  }))
  return { ...rest, body: { ...completion, object: 'text_completion', choices: texts } }
}

const textChunk = ({ choices, ...chunk }: ChatChunk): ChatChunk => ({
  ...chunk,
  object: 'text_completion',
  choices: choices.map(({ index, delta, finish_reason: reason }) => ({
    index,
    text: delta?.content ?? '',
    logprobs: null,
    finish_reason: reason ?? null,
  })),
})
