import type { Completion } from 'openai/resources/completions'
import { z } from 'zod'
import { randomToken } from '#lib/ids.ts'
import { composeReply } from '../generate/reply.ts'
import { countTokens, splitIntoPieces } from '../generate/tokens.ts'
import { json, type Accepted, type AcceptContext, type Answer } from '../wire.ts'
import { check, outputLimit, requireContext, requireModel } from './check.ts'
import {
  listOf,
  LogitBias,
  Penalty,
  Seed,
  sse,
  sseDone,
  Stop,
  StreamOptions,
  Temperature,
  TopP,
  unix,
} from './common.ts'
import { invalidRequest } from './wire.ts'

const Tokens = z.array(z.int().min(0)).min(1)
/** Texts, or lists of numbers, which stand for tokens. */
export const TextOrTokens = z.union([z.string(), z.array(z.union([z.string(), z.int().min(0), Tokens])).min(1)])

/** One text per prompt or input. @throws {ProviderError} 400 for a list with different kinds of entries */
export function textsOf(given: z.output<typeof TextOrTokens>, param: string): { text: string; tokens: number }[] {
  const asText = (text: string) => ({ text, tokens: Math.max(1, countTokens(text)) })
  const asTokens = (tokens: readonly number[]) => ({ text: tokens.join(' '), tokens: tokens.length })
  if (typeof given === 'string') return [asText(given)]
  const texts = given.filter((entry) => typeof entry === 'string')
  if (texts.length === given.length) return texts.map(asText)
  const numbers = given.filter((entry) => typeof entry === 'number')
  if (numbers.length === given.length) return [asTokens(numbers)]
  const lists = given.filter((entry) => Array.isArray(entry))
  if (lists.length === given.length) return lists.map(asTokens)
  throw invalidRequest(`'$.${param}' is invalid. All entries must have the same type.`, { param })
}

const defaultMaxTokens = 16

const CompletionInput = z.strictObject({
  model: z.string(),
  prompt: TextOrTokens.nullish(),
  best_of: z.int().min(1).max(20).nullish(),
  echo: z.boolean().nullish(),
  frequency_penalty: Penalty,
  logit_bias: LogitBias,
  logprobs: z.int().min(0).max(5).nullish(),
  max_tokens: z.int().min(0).nullish(),
  n: z.int().min(1).max(128).nullish(),
  presence_penalty: Penalty,
  seed: Seed,
  stop: Stop,
  stream: z.boolean().nullish(),
  stream_options: StreamOptions,
  suffix: z.string().nullish(),
  temperature: Temperature,
  top_p: TopP,
  user: z.string().optional(),
})
type CompletionInput = z.output<typeof CompletionInput>

export function acceptCompletion(given: unknown, { now }: AcceptContext): Accepted {
  const input = check(CompletionInput, given)
  const model = requireModel(input.model, 'chat', 'completions')
  const prompts = textsOf(input.prompt ?? '<|endoftext|>', 'prompt')
  if (input.stream_options && !input.stream)
    throw invalidRequest("The 'stream_options' parameter is only allowed when 'stream' is enabled.", {
      param: 'stream_options',
    })
  if ((input.best_of ?? 1) > 1 && input.stream)
    throw invalidRequest("You cannot stream when 'best_of' is larger than 1.", { param: 'best_of' })
  const limit = outputLimit(model, input.max_tokens ?? defaultMaxTokens, 'max_tokens')
  const promptTokens = prompts.reduce((sum, { tokens }) => sum + tokens, 0)
  requireContext(model, promptTokens, 'prompt')
  return {
    model: model.id,
    answer: ({ tokens }) => {
      const completion = complete(input, { prompts, promptTokens, limit, tokens, created: unix(now) })
      return input.stream ? streamOf(completion, input) : json(completion)
    },
  }
}

interface Measured {
  prompts: readonly { text: string }[]
  promptTokens: number
  limit: number
  tokens?: number
  created: number
}

function complete(input: CompletionInput, { prompts, promptTokens, limit, tokens, created }: Measured): Completion {
  const turn = { isToolResult: false, tools: [], choice: 'none', parallel: false, format: 'text' } as const
  let output = 0
  const choices = prompts.flatMap(({ text: said }, at) => {
    const reply = composeReply({ ...turn, said, stop: listOf(input.stop), maxTokens: limit, tokens })
    return Array.from({ length: input.n ?? 1 }, (_, copy) => {
      output += reply.tokens
      return {
        index: at * (input.n ?? 1) + copy,
        text: (input.echo ? said : '') + (reply.text ?? ''),
        logprobs: typeof input.logprobs === 'number' ? likelihoodOf(reply.text ?? '') : null,
        finish_reason: reply.finish === 'length' ? ('length' as const) : ('stop' as const),
      }
    })
  })
  return {
    id: `cmpl-${randomToken(18)}`,
    object: 'text_completion',
    created,
    model: input.model,
    choices,
    usage: {
      prompt_tokens: promptTokens,
      completion_tokens: output,
      total_tokens: promptTokens + output,
      prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0 },
    },
    system_fingerprint: 'fp_practice',
  }
}

function likelihoodOf(text: string) {
  const tokens = splitIntoPieces(text)
  return {
    tokens,
    token_logprobs: tokens.map(() => -0.01),
    top_logprobs: tokens.map((token) => ({ [token]: -0.01 })),
    text_offset: tokens.map((_, at) => tokens.slice(0, at).join('').length),
  }
}

function streamOf({ usage, choices, ...common }: Completion, { stream_options: options }: CompletionInput): Answer {
  const spent = (value: Completion['usage'] | null) => (options?.include_usage ? { usage: value } : {})
  const events = choices.flatMap(({ index, text, finish_reason: reason }) => [
    ...splitIntoPieces(text).map((piece) => ({ index, text: piece, logprobs: null, finish_reason: null })),
    { index, text: '', logprobs: null, finish_reason: reason },
  ])
  return {
    events: [
      ...events.map((choice) => sse({ ...common, choices: [choice], ...spent(null) })),
      ...(options?.include_usage ? [sse({ ...common, choices: [], ...spent(usage) })] : []),
      sseDone,
    ],
  }
}
