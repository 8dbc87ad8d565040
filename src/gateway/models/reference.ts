export interface ModelStep {
  readonly provider: string
  readonly model: string
}

/** `openai/gpt-4o`; models can have slashes of their own. */
export function parseRef(ref: string): ModelStep {
  const at = ref.indexOf('/')
  return { provider: ref.slice(0, at), model: ref.slice(at + 1) }
}

export const refOf = ({ provider, model }: ModelStep): string => `${provider}/${model}`
