import type { TokenUsage } from '../../models/price.ts'
import type { OutputItem, ResponseRequest } from './response-types.ts'

interface Result {
  id: string
  createdAt: number
  model: string
  status: 'in_progress' | 'completed' | 'incomplete'
  output: readonly OutputItem[]
  usage: TokenUsage | null
}

/** With every field that the Responses API always has. */
export function responseObject(request: ResponseRequest, { id, createdAt, model, status, output, usage }: Result) {
  return {
    id,
    object: 'response',
    created_at: createdAt,
    status,
    error: null,
    incomplete_details: status === 'incomplete' ? { reason: 'max_output_tokens' } : null,
    instructions: request.instructions ?? null,
    max_output_tokens: request.max_output_tokens ?? null,
    metadata: request.metadata ?? {},
    model,
    output,
    parallel_tool_calls: request.parallel_tool_calls ?? true,
    previous_response_id: null,
    store: false,
    temperature: request.temperature ?? null,
    text: request.text ?? { format: { type: 'text' } },
    tool_choice: request['tool_choice'] ?? 'auto',
    tools: request.tools ?? [],
    top_p: request.top_p ?? null,
    truncation: 'disabled',
    ...(usage && { usage: responseUsageOf(usage) }),
  }
}

const responseUsageOf = (usage: TokenUsage) => ({
  input_tokens: usage.inputTokens,
  input_tokens_details: { cached_tokens: usage.cacheReadTokens ?? 0 },
  output_tokens: usage.outputTokens,
  output_tokens_details: { reasoning_tokens: usage.reasoningTokens ?? 0 },
  total_tokens: usage.inputTokens + usage.outputTokens,
})

export const textItem = (id: string, text: string, status = 'completed'): OutputItem => ({
  type: 'message',
  id,
  role: 'assistant',
  status,
  content: status === 'completed' ? [textPart(text)] : [],
})

export const textPart = (text: string) => ({ type: 'output_text', text, annotations: [], logprobs: [] })

export const callItem = (
  id: string,
  call: { callId: string; name: string; arguments: string },
  status = 'completed',
): OutputItem => ({
  type: 'function_call',
  id,
  call_id: call.callId,
  name: call.name,
  arguments: call.arguments,
  status,
})
