interface ErrorFacts {
  type: string
  param?: string | null
  code?: string | null
  headers?: Record<string, string>
}

/** A refusal in terms of the provider. Each wire format writes it in its own way. */
export class ProviderError extends Error {
  readonly status: number
  readonly facts: ErrorFacts

  constructor(status: number, message: string, facts: ErrorFacts) {
    super(message)
    this.status = status
    this.facts = facts
  }
}
