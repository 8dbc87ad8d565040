import type { PaymentsWork } from '../work.ts'
import type { Database } from '#lib/db.ts'
import { Currency, displayMoney } from '#lib/money.ts'
import { publicUrlOfJob } from '#lib/public-url.ts'
import type { Letter } from '#lib/mail.ts'
import {
  invoicePaidLetter,
  paymentFailedLetter,
  readOnlyLetter,
  readOnlySoonLetter,
  subscriptionCanceledLetter,
  trialEndingLetter,
} from '#views/emails/subscription.tsx'
import { fromProviderUnits } from '../provider-units.ts'
import { subscriptionNotices } from '../schema.ts'
import { monthlyTotal, readPrice } from './prices.ts'
import type { SubscriptionRow } from './rows.ts'
import type { ProviderInvoice } from './provider/snapshot.ts'
import { keptUntilOf, readOnlyAtOf, readOnlyNoticeAtOf, trialNoticeAtOf } from './state.ts'

interface Invoices {
  failing: ProviderInvoice | null
  /** Whose payment is new. */
  paid: readonly ProviderInvoice[]
}

interface Notice {
  /** Unique of the subscription: it is sent once. */
  step: string
  letter: Letter
}

/** Mails of the steps that were reached, each once. On the transaction that locked the row. */
export async function sendNotices(
  tx: Database,
  work: PaymentsWork,
  row: SubscriptionRow,
  invoices: Invoices,
): Promise<void> {
  const notices = [...receiptsOf(work, row, invoices), ...(await noticesOf(tx, work, row, invoices))]
  for (const { step, letter } of notices) {
    const [isNew] = await tx
      .insert(subscriptionNotices)
      .values({ subscriptionId: row.id, organizationId: row.organizationId, step, sentAt: work.now() })
      .onConflictDoNothing()
      .returning()
    if (isNew) await work.mail.send(tx, row.email, letter, work.now())
  }
}

const billingPath = '/settings/billing'

const receiptsOf = ({ config }: PaymentsWork, { name }: SubscriptionRow, { paid }: Invoices): Notice[] =>
  paid.map(({ id, number, currency, amountPaid, url, pdfUrl }) => {
    const minor = fromProviderUnits(amountPaid, currency)
    const amount = displayMoney({ minor, currency: Currency.parse(currency) }, 'en')
    const href = url ?? publicUrlOfJob(billingPath, config)
    return { step: `invoice_paid ${id}`, letter: invoicePaidLetter({ name, number, amount, url: href, pdfUrl }) }
  })

async function noticesOf(
  tx: Database,
  { config, now }: PaymentsWork,
  row: SubscriptionRow,
  { failing }: Invoices,
): Promise<Notice[]> {
  const { pastDueSince, trialEndsAt, status, access, name } = row
  const at = now()
  const href = publicUrlOfJob(billingPath, config)
  const payUrl = failing?.url ?? href
  const notices: Notice[] = []
  // The website writes to the buyer of an order that no organization took.
  if (status === 'canceled' && row.startedAt !== null && row.ownerType === 'organization')
    notices.push({
      step: 'canceled',
      letter: subscriptionCanceledLetter({ name, href, keptUntil: keptUntilOf(row, access) ?? at }),
    })
  if (status === 'trialing' && trialEndsAt !== null && at >= trialNoticeAtOf(trialEndsAt)) {
    const price = await readPrice(tx, row.priceId)
    const monthly = { minor: monthlyTotal(price, row.seats), currency: Currency.parse(price.currency) }
    notices.push({
      step: `trial_ending ${trialEndsAt.toISOString()}`,
      letter: trialEndingLetter({ name, href, trialEndsAt, monthly: displayMoney(monthly, 'en') }),
    })
  }
  if (pastDueSince === null) return notices
  const readOnlyAt = readOnlyAtOf(pastDueSince)
  if (failing && failing.attempts > 0)
    notices.push({
      step: `payment_failed ${failing.id} ${failing.attempts}`,
      letter: paymentFailedLetter({ name, payUrl, readOnlyAt, ...factsOf(failing) }),
    })
  const since = pastDueSince.toISOString()
  if (access === 'read_only')
    notices.push({
      step: `read_only ${since}`,
      letter: readOnlyLetter({ name, payUrl, keptUntil: keptUntilOf(row, access) ?? at }),
    })
  else if (at >= readOnlyNoticeAtOf(pastDueSince))
    notices.push({ step: `read_only_coming ${since}`, letter: readOnlySoonLetter({ name, payUrl, readOnlyAt }) })
  return notices
}

function factsOf({ currency, amountRemaining, attempts, nextAttemptAt, lastFailure }: ProviderInvoice) {
  const minor = fromProviderUnits(amountRemaining, currency)
  return {
    attempts,
    nextAttemptAt,
    reason: lastFailure?.message ?? null,
    amount: displayMoney({ minor, currency: Currency.parse(currency) }, 'en'),
  }
}
