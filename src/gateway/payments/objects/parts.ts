/** Of an object that the provider can expand. */
export function idOf(reference: string | { id: string } | null | undefined): string | null {
  if (reference === null || reference === undefined) return null
  return typeof reference === 'string' ? reference : reference.id
}

export const requiredId = (reference: string | { id: string }): string =>
  typeof reference === 'string' ? reference : reference.id

export const codeOf = (currency: string): string => currency.toUpperCase()
export const optionalCode = (currency: string | null | undefined): string | null => (currency ? codeOf(currency) : null)

/** Of the provider’s seconds. */
export const timeOf = (seconds: number): Date => new Date(seconds * 1000)
export const optionalTime = (seconds: number | null | undefined): Date | null =>
  seconds === null || seconds === undefined ? null : timeOf(seconds)

interface NextAction {
  type: string
  redirect_to_url?: { url: string | null } | null
}

export const nextActionOf = (action: NextAction | null) =>
  action && { type: action.type, url: action.redirect_to_url?.url ?? null }

interface Failure {
  code?: string | null
  decline_code?: string | null
  message?: string | null
}

export const failureOf = (failure: Failure | null) =>
  failure && {
    code: failure.code ?? null,
    declineCode: failure.decline_code ?? null,
    message: failure.message ?? null,
  }
