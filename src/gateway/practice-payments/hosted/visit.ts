import { eq } from 'drizzle-orm'
import { transact } from '#lib/db.ts'
import { notFound } from '#lib/errors.ts'
import type { RequestFacts } from '#lib/call.ts'
import type { Practice } from '../state.ts'
import { paymentObjects } from '../schema.ts'
import type { PaymentsCall } from '../wire/call.ts'
import { StripeError } from '../wire/error.ts'

/** A browser at a hosted page. */
export interface Visit {
  practice: Practice
  request: Request
  facts: RequestFacts
  origin: string
  /** The ID at the end of the path. */
  id: string
}

export interface HostedPage {
  method: 'GET' | 'POST'
  path: string
  show(visit: Visit): Promise<Response>
}

/** In a transaction for the account of the object. @throws {Problem} 404 */
export async function inAccount<Result>(
  { practice, id, origin }: Visit,
  work: (call: PaymentsCall) => Promise<Result>,
): Promise<Result> {
  if (!/^\w+$/.test(id)) throw notFound('page')
  const result = await transact(practice.db, async (tx) => {
    const [row] = await tx
      .select({ account: paymentObjects.account })
      .from(paymentObjects)
      .where(eq(paymentObjects.id, id))
    if (!row) throw notFound('page')
    const { account } = row
    const [platform = account] = account.split('/')
    return work({ tx, account, platform, origin, now: practice.now(), request: { id: null, idempotency_key: null } })
  })
  practice.dispatcher.wake()
  return result
}

/** For the page. @throws other errors again */
export function textOfRefusal(error: unknown): string {
  if (error instanceof StripeError) return error.message
  throw error
}
