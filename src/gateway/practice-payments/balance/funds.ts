import { and, eq, sql } from 'drizzle-orm'
import type { PaymentsCall } from '../wire/call.ts'
import { StripeError } from '../wire/error.ts'
import { paymentObjects } from '../schema.ts'

interface Funds {
  currency: string
  amount: number
}

export async function fundsOf({ tx, account }: PaymentsCall): Promise<Funds[]> {
  const { data, type, account: owner } = paymentObjects
  const currency = sql<string>`${data} ->> 'currency'`
  const rows = await tx
    .select({ currency, amount: sql<string>`sum((${data} ->> 'net')::bigint)` })
    .from(paymentObjects)
    .where(and(eq(owner, account), eq(type, 'balance_transaction')))
    .groupBy(currency)
    .orderBy(currency)
  return rows.map((row) => ({ currency: row.currency, amount: Number(row.amount) }))
}

/** What leaves the account at the same time waits here, so that all of it together is covered. @throws {StripeError} */
export async function requireFunds(call: PaymentsCall, amount: number, currency: string): Promise<void> {
  await call.tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`practice_payments ${call.account}`}, 1))`)
  const funds = (await fundsOf(call)).find((each) => each.currency === currency)
  if ((funds?.amount ?? 0) >= amount) return
  throw new StripeError(
    400,
    'You have insufficient available funds in your Stripe account. Try adding funds directly to your available balance by creating Charges using the 4000000000000077 test card. See: https://stripe.com/docs/testing#available-balance',
    { code: 'balance_insufficient' },
  )
}
