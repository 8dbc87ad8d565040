import type { Model } from 'openai/resources/models'
import { findModel, listModels, modelsCreatedAt, type PracticeModel } from '../catalog.ts'
import { json, type Accepted, type AcceptContext } from '../wire.ts'
import { unix } from './common.ts'
import { invalidRequest } from './wire.ts'

const toModel = ({ id }: PracticeModel): Model => ({
  id,
  object: 'model',
  created: unix(modelsCreatedAt),
  owned_by: 'practice',
})

export const acceptModelList = (): Accepted => ({
  model: null,
  answer: () => json({ object: 'list', data: listModels().map(toModel) }),
})

export function acceptModel({ params }: AcceptContext): Accepted {
  const { id = '' } = params
  const model = findModel(id)
  if (!model)
    throw invalidRequest(`The model '${id}' does not exist`, { status: 404, param: 'model', code: 'model_not_found' })
  return { model: null, answer: () => json(toModel(model)) }
}
