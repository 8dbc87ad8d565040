import { and, eq, lt, sql } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { paymentIdempotencyKeys } from '../schema.ts'
import { invalidRequest, StripeError } from './error.ts'

export interface Answer {
  status: number
  body: string
  requestId: string
  /** The ID of the request whose answer is sent again. */
  replayOf?: string
}

interface Execution {
  account: string
  key: string
  digest: string
  now: Date
  requestId: string
}

const lifetimeMs = 24 * 3_600_000

/** @throws {StripeError} 400 */
export function keyIn(headers: Headers): string | null {
  const key = headers.get('idempotency-key')
  if (key !== null && (key.length === 0 || key.length > 255))
    throw invalidRequest('Idempotency keys must have between 1 and 255 characters.')
  return key
}

/**
 * Executes `work` once for a key within 24 hours. Its effects and its answer are committed together.
 * @throws {StripeError} 409 while the first request is in progress, 400 for other parameters
 */
export async function once(
  tx: Database,
  { account, key, digest, now, requestId }: Execution,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const [lock] = await tx.execute(
    sql`SELECT pg_try_advisory_xact_lock(hashtextextended(${`practice_payments ${account} ${key}`}, 0)) AS taken`,
  )
  if (lock?.['taken'] !== true)
    throw new StripeError(
      409,
      `There is currently another in-progress request using this Stripe Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key}. Please try again later.`,
      { type: 'idempotency_error', code: 'idempotency_key_in_use' },
    )
  await tx
    .delete(paymentIdempotencyKeys)
    .where(lt(paymentIdempotencyKeys.createdAt, new Date(now.getTime() - lifetimeMs)))
  const [known] = await tx
    .select()
    .from(paymentIdempotencyKeys)
    .where(and(eq(paymentIdempotencyKeys.account, account), eq(paymentIdempotencyKeys.key, key)))
  if (known && known.digest !== digest)
    throw new StripeError(
      400,
      `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
      { type: 'idempotency_error' },
    )
  if (known) return { status: known.status, body: known.body, requestId, replayOf: known.requestId }
  const answer = await work()
  await tx.insert(paymentIdempotencyKeys).values({ account, key, digest, createdAt: now, ...answer })
  return answer
}
