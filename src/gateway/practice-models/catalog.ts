export interface PracticeModel {
  id: string
  displayName: string
  kind: 'chat' | 'image' | 'embedding' | 'audio'
  /** Tokens of input and output together. */
  contextTokens: number
  maxOutputTokens: number
}

/** When they were created, as both providers report it. */
export const modelsCreatedAt = new Date('2026-01-01T00:00:00Z')

const models: readonly PracticeModel[] = [
  {
    id: 'practice-small',
    displayName: 'Practice Small',
    kind: 'chat',
    contextTokens: 128_000,
    maxOutputTokens: 16_384,
  },
  {
    id: 'practice-large',
    displayName: 'Practice Large',
    kind: 'chat',
    contextTokens: 128_000,
    maxOutputTokens: 32_768,
  },
  {
    id: 'practice-image',
    displayName: 'Practice Image',
    kind: 'image',
    contextTokens: 32_000,
    maxOutputTokens: 16_384,
  },
  {
    id: 'practice-embedding',
    displayName: 'Practice Embedding',
    kind: 'embedding',
    contextTokens: 8_192,
    maxOutputTokens: 1,
  },
  { id: 'practice-audio', displayName: 'Practice Audio', kind: 'audio', contextTokens: 16_000, maxOutputTokens: 2_000 },
]

const byId = new Map(models.map((model) => [model.id, model]))

export const findModel = (id: string): PracticeModel | undefined => byId.get(id)
export const listModels = (kind?: PracticeModel['kind']): PracticeModel[] =>
  models.filter((model) => kind === undefined || model.kind === kind)
