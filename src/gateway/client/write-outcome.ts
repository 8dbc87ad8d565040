import { Problem } from '#lib/errors.ts'

/** Of the gateway when the provider got nothing, although the status says otherwise. */
const nothingDone = new Set(['provider_key_rejected', 'provider_failed'])
const refusals = new Set([402, 403, 404, 422, 429])

/** Nothing was sent: the account that a request is for has no key, or its key is of another account now. */
export const isAccountChanged = (error: unknown): error is Problem & { code: 'provider_account_changed' } =>
  error instanceof Problem && error.code === 'provider_account_changed'

/**
 * Whether a write that threw this was refused for certain, so nothing was done. Its repetition after an unknown outcome
 * says nothing about the first one.
 */
export function writeOutcomeOf(error: unknown): 'refused' | 'unknown' {
  if (!(error instanceof Problem)) return 'unknown'
  const { status, code, options } = error
  const isRefused =
    refusals.has(status) ||
    options.nothingDone === true ||
    (status === 409 && code === 'idempotency_conflict') ||
    isAccountChanged(error) ||
    (status === 502 && nothingDone.has(code))
  return isRefused ? 'refused' : 'unknown'
}
