import { eq } from 'drizzle-orm'
import type { Call } from '#lib/call.ts'
import { conflict } from '#lib/errors.ts'
import { checkouts } from '../schema.ts'
import { isPayersBrowser } from './browser.ts'
import { destinationOf } from './provision.ts'
import { findCheckout, type CheckoutRow } from './rows.ts'

const minuteMs = 60_000
/** After that, people sign in by the email. The first sign-in leaves time to repeat a lost response. */
const limits = { afterReady: 60 * minuteMs, afterFirst: 5 * minuteMs }

export function canSignIn({ state, madeAccount, readyAt, signedInAt }: CheckoutRow, now: Date): boolean {
  if (state !== 'ready' || madeAccount !== true || readyAt === null) return false
  const until = Math.min(
    readyAt.getTime() + limits.afterReady,
    (signedInAt?.getTime() ?? Number.POSITIVE_INFINITY) + limits.afterFirst,
  )
  return now.getTime() < until
}

/**
 * A link for the browser that paid, only into an account that the checkout made. @throws {Problem} 404, 409
 * `sign_in_by_email`
 */
export async function signInPayer(call: Call, id: string): Promise<string> {
  const { db, now } = call
  const row = await findCheckout(db, id)
  if (!isPayersBrowser(call, row) || !canSignIn(row, now()) || row.personId === null)
    throw conflict('sign_in_by_email', 'Open the link in the email, or request a new one on the sign-in page.')
  if (row.signedInAt === null) await db.update(checkouts).set({ signedInAt: now() }).where(eq(checkouts.id, id))
  const { loginUrl } = await call.identity.provision(
    {
      email: row.email,
      workspaceName: row.organizationName,
      accountId: row.personId,
      ...(await destinationOf(call)),
    },
    call.config.PUBLIC_URL === undefined ? call.request.url.origin : null,
  )
  return loginUrl
}
