/** What the provider and the gateway can answer. */
export const providerProblems = {
  card_declined: 402,
  provider_account_changed: 409,
  credential_missing: 422,
  provider_refused: 422,
  provider_limited: 429,
  outcome_unknown: 502,
  provider_failed: 502,
  provider_key_rejected: 502,
  gateway_unavailable: 503,
  provider_timed_out: 504,
}
