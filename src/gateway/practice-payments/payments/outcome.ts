import { completeSession } from '../checkout/complete.ts'
import { failInvoice, settleInvoice } from '../billing/settle.ts'
import { find } from '../store/objects.ts'
import type { Stock } from '../store/types.ts'
import type { PaymentsCall } from '../wire/call.ts'

type Intent = Stock['payment_intent']

/** What a payment was for continues: its invoice, then its checkout session. */
export async function afterSuccess(call: PaymentsCall, intent: Intent): Promise<void> {
  const { invoice, session } = await purposeOf(call, intent)
  if (invoice) await settleInvoice(call, invoice, intent)
  if (session) await completeSession(call, session, { payment_intent: intent.id })
}

export async function afterFailure(call: PaymentsCall, intent: Intent): Promise<void> {
  const { invoice } = await purposeOf(call, intent)
  if (invoice) await failInvoice(call, invoice)
}

async function purposeOf(call: PaymentsCall, { id }: Intent) {
  const hidden = (await find(call, 'payment_intent', id))?.hidden
  const nameIn = (key: string) => (typeof hidden?.[key] === 'string' ? hidden[key] : null)
  return { invoice: nameIn('invoice'), session: nameIn('session') }
}
