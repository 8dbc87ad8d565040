import type { ModelInfo } from '@anthropic-ai/sdk/resources/models'
import { listModels, modelsCreatedAt, type PracticeModel } from '../catalog.ts'
import { json, type Accepted, type AcceptContext } from '../wire.ts'
import { requireModel } from './check.ts'
import { invalidRequest } from './wire.ts'

const toModel = ({ id, displayName, contextTokens, maxOutputTokens }: PracticeModel): ModelInfo => ({
  type: 'model',
  id,
  display_name: displayName,
  created_at: modelsCreatedAt.toISOString(),
  max_input_tokens: contextTokens,
  max_tokens: maxOutputTokens,
  capabilities: null,
  deprecated_at: null,
  lifecycle: 'active',
  line: null,
  retires_at: null,
})

export function acceptModelList({ query }: AcceptContext): Accepted {
  const limit = Number(query.get('limit') ?? 20)
  if (!Number.isInteger(limit) || limit < 1 || limit > 1000)
    throw invalidRequest('limit: Input should be between 1 and 1000')
  const all = listModels('chat').map(toModel)
  const before = all.findIndex(({ id }) => id === query.get('before_id'))
  const after = all.findIndex(({ id }) => id === query.get('after_id'))
  const rest = before === -1 ? all.slice(after + 1) : all.slice(Math.max(0, before - limit), before)
  const data = rest.slice(0, limit)
  const answer = {
    data,
    has_more: before === -1 ? rest.length > limit : before > limit,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
  }
  return { model: null, answer: () => json(answer) }
}

export function acceptModel({ params }: AcceptContext): Accepted {
  const model = requireModel(params['id'] ?? '')
  return { model: null, answer: () => json(toModel(model)) }
}
