import type { Database } from '#lib/db.ts'

/** One request, or one task, in its transaction. */
export interface PaymentsCall {
  tx: Database
  /** The account of the key, or the connected one of `Stripe-Account`. */
  account: string
  /** The account of the key. */
  platform: string
  now: Date
  /** Where the hosted pages are, such as `http://127.0.0.1:3000`. */
  origin: string
  request: { id: string | null; idempotency_key: string | null }
}

export const seconds = (date: Date): number => Math.floor(date.getTime() / 1000)

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

export function randomId(prefix: string, length = 24): string {
  const bytes = crypto.getRandomValues(new Uint8Array(length))
  return `${prefix}_${Array.from(bytes, (byte) => alphabet[byte % alphabet.length]).join('')}`
}
