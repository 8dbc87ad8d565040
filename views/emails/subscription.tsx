import { dayInWords } from '#lib/time.ts'
import { letter } from './letter.tsx'

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
    subject: `Payment of ${amount} for ${name} failed`,
    paragraphs: [
      `${attempts === 1 ? 'We couldn’t charge' : `Attempt ${attempts} failed: we couldn’t charge`} ${amount} for the Atrium plan of ${name}.`,
      ...(reason ? [`The bank’s reason: ${reason}`] : []),
      nextAttemptAt
        ? `We try again on ${dayInWords(nextAttemptAt)}. You can also pay now, or with another card.`
        : 'This was the last attempt. Pay the invoice yourself.',
      `If it isn’t paid by ${dayInWords(readOnlyAt)}, ${name} becomes read-only. Nothing is deleted.`,
    ],
    action: { label: `Pay ${amount}`, href: payUrl },
    notes: [],
  })

export const readOnlySoonLetter = ({ name, readOnlyAt, payUrl }: Subscriber & { readOnlyAt: Date; payUrl: string }) =>
  letter({
    subject: `${name} becomes read-only on ${dayInWords(readOnlyAt)}`,
    paragraphs: [
      `An invoice for the Atrium plan of ${name} isn’t paid. From ${dayInWords(readOnlyAt)}, members can only read.`,
    ],
    action: { label: 'Pay the invoice', href: payUrl },
    notes: [],
  })

export const readOnlyLetter = ({ name, keptUntil, payUrl }: Subscriber & { keptUntil: Date; payUrl: string }) =>
  letter({
    subject: `${name} is read-only`,
    paragraphs: [
      `An invoice for the Atrium plan of ${name} isn’t paid, so members can only read now.`,
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
    subject: `The trial of ${name} ends on ${dayInWords(trialEndsAt)}`,
    paragraphs: [
      `The Atrium trial of ${name} ends on ${dayInWords(trialEndsAt)}. Then the plan costs ${monthly} per month.`,
      'To keep it, you don’t have to do anything. Cancel it before that day if you don’t want it.',
    ],
    action: { label: 'Open the plan', href },
    notes: [],
  })

export const subscriptionCanceledLetter = ({ name, keptUntil, href }: Subscriber & { keptUntil: Date; href: string }) =>
  letter({
    subject: `The Atrium plan of ${name} has ended`,
    paragraphs: [
      `The Atrium plan of ${name} has ended, and nothing more is charged.`,
      `Data is kept until ${dayInWords(keptUntil)}. Choose a plan by then to continue where you left off.`,
    ],
    action: { label: 'Choose a plan', href },
    notes: [],
  })
