import { dayInWords } from '#lib/time.ts'
import { letter } from './letter.tsx'
import { mailName } from './name.ts'

interface Subscriber {
  /** Of the organization. */
  name: string
}

interface FailedPayment extends Subscriber {
  amount: string
  attempts: number
  nextAttemptAt: Date | null
  reason: string | null
  readOnlyAt: Date
  payUrl: string
}

interface PaidInvoice extends Subscriber {
  /** Null before the provider gives it one. */
  number: string | null
  amount: string
  url: string
  pdfUrl: string | null
}

export const invoicePaidLetter = ({ name, number, amount, url, pdfUrl }: PaidInvoice) => {
  const invoice = number === null ? 'Invoice' : `Invoice ${number}`
  return letter({
    subject: `${invoice} for ${mailName(name)}: ${amount} paid`,
    paragraphs: [`${amount} was paid for the Atrium plan of ${mailName(name)}. Thank you.`],
    ...(pdfUrl !== null && {
      items: [{ title: 'Download as PDF', reason: 'For your bookkeeping.', href: pdfUrl }],
    }),
    action: { label: 'Open the invoice', href: url },
    notes: ['Settings → Billing lists all invoices.'],
  })
}

export const paymentFailedLetter = ({
  name,
  amount,
  attempts,
  nextAttemptAt,
  reason,
  readOnlyAt,
  payUrl,
}: FailedPayment) =>
  letter({
    subject: `Payment of ${amount} for ${mailName(name)} failed`,
    paragraphs: [
      `${attempts === 1 ? 'We couldn’t charge' : `Attempt ${attempts} failed: we couldn’t charge`} ${amount} for the Atrium plan of ${mailName(name)}.`,
      ...(reason ? [`The bank’s reason: ${reason}`] : []),
      nextAttemptAt
        ? `We try again on ${dayInWords(nextAttemptAt)}. You can also pay now, or with another card.`
        : 'This was the last attempt. Pay the invoice yourself.',
      `If it isn’t paid by ${dayInWords(readOnlyAt)}, ${mailName(name)} can’t install apps or add members. What is installed keeps working, and nothing is deleted.`,
    ],
    action: { label: `Pay ${amount}`, href: payUrl },
    notes: [],
  })

export const readOnlySoonLetter = ({ name, readOnlyAt, payUrl }: Subscriber & { readOnlyAt: Date; payUrl: string }) =>
  letter({
    subject: `${mailName(name)} can’t install apps or add members from ${dayInWords(readOnlyAt)}`,
    paragraphs: [
      `An invoice for the Atrium plan of ${mailName(name)} isn’t paid. From ${dayInWords(readOnlyAt)}, no apps can be installed and no one can join. What is installed keeps working.`,
    ],
    action: { label: 'Pay the invoice', href: payUrl },
    notes: [],
  })

export const readOnlyLetter = ({ name, keptUntil, payUrl }: Subscriber & { keptUntil: Date; payUrl: string }) =>
  letter({
    subject: `${mailName(name)} can’t install apps or add members`,
    paragraphs: [
      `An invoice for the Atrium plan of ${mailName(name)} isn’t paid, so no apps can be installed and no one can join. What is installed keeps working.`,
      `As soon as it is paid, everything works again. Nothing is deleted before ${dayInWords(keptUntil)}.`,
    ],
    action: { label: 'Pay the invoice', href: payUrl },
    notes: [],
  })

export const trialEndingLetter = ({
  name,
  trialEndsAt,
  monthly,
  href,
}: Subscriber & { trialEndsAt: Date; monthly: string; href: string }) =>
  letter({
    subject: `The trial of ${mailName(name)} ends on ${dayInWords(trialEndsAt)}`,
    paragraphs: [
      `The Atrium trial of ${mailName(name)} ends on ${dayInWords(trialEndsAt)}. Then the plan costs ${monthly} per month.`,
      'To keep it, you don’t have to do anything. Cancel it before that day if you don’t want it.',
    ],
    action: { label: 'Open the plan', href },
    notes: [],
  })

export const subscriptionCanceledLetter = ({ name, keptUntil, href }: Subscriber & { keptUntil: Date; href: string }) =>
  letter({
    subject: `The Atrium plan of ${mailName(name)} has ended`,
    paragraphs: [
      `The Atrium plan of ${mailName(name)} has ended, and nothing more is charged.`,
      `Paid apps are suspended, and their data is kept until ${dayInWords(keptUntil)}. Choose a plan by then to continue where you left off.`,
    ],
    action: { label: 'Choose a plan', href },
    notes: [],
  })
