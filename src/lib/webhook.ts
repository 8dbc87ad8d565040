import type { Call } from './call.ts'

/** A provider's call to us: `verify` sees the raw body and headers first and throws a Problem on a bad signature. */
export interface Webhook {
  path: string
  summary: string
  verify(raw: Uint8Array, call: Call<null, null>): Promise<void> | void
  /** Runs in one transaction; its answer is sent as JSON. */
  run(raw: Uint8Array, call: Call<null, null>): Promise<unknown>
}

/** Declares a webhook: raw body, signature first. */
export const webhook = (definition: Webhook): Webhook => definition
