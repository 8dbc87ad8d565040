import { letter } from './letter.tsx'
import { mailName } from './name.ts'

interface Order {
  /** Of the organization, as it was entered. */
  name: string
}

/** To the owner of an account, whose address someone entered at a checkout. */
export const checkoutWaitingLetter = ({ name, href }: Order & { href: string }) =>
  letter({
    subject: `Choose the organization for your order of ${mailName(name)}`,
    paragraphs: [
      `Someone paid for an Atrium package for ${mailName(name)} and entered your email address. You already have an account, so nothing in it was changed.`,
      'Sign in, switch to the organization that should have the package, and open this page. If no organization is chosen in 14 days, the order is canceled and refunded.',
    ],
    action: { label: 'Choose the organization', href },
    notes: ['If you don’t know about this order, you can ignore this email.'],
  })

export const checkoutDuplicateLetter = ({ name, href }: Order & { href: string }) =>
  letter({
    subject: `Your second payment for ${mailName(name)} is refunded`,
    paragraphs: [
      `${mailName(name)} has a package already, so the second order was canceled and its payment is refunded. Banks take up to 10 days to show it.`,
      'To change the package or the number of seats, open Settings → Billing.',
    ],
    action: { label: 'Open billing', href },
    notes: [],
  })

/** Only its mailbox learns it: the payer can be a stranger. */
const reasons: Readonly<Record<string, string>> = {
  not_a_customer: 'this email address belongs to a super admin or an agent',
  workspace_suspended: 'the organization of this email address is suspended',
  account_deletion_pending: 'the account with this email address is about to be deleted',
}

export const checkoutRefusedLetter = ({ name, href, problem }: Order & { href: string; problem: string }) =>
  letter({
    subject: `Your order for ${mailName(name)} is canceled and refunded`,
    paragraphs: [
      `We couldn’t create ${mailName(name)}, because ${reasons[problem] ?? 'this email address can’t own an organization now'}. Your payment is refunded; banks take up to 10 days to show it.`,
      'You can order again with another email address.',
    ],
    action: { label: 'Order again', href },
    notes: [],
  })

export const checkoutEndedLetter = ({ name, href }: Order & { href: string }) =>
  letter({
    subject: `Your order for ${mailName(name)} is canceled and refunded`,
    paragraphs: [
      `The order of ${mailName(name)} was canceled before it was set up. The payment is refunded; banks take up to 10 days to show it.`,
    ],
    action: { label: 'Order again', href },
    notes: [],
  })

export const checkoutUnclaimedLetter = ({ name, href }: Order & { href: string }) =>
  letter({
    subject: `Your order for ${mailName(name)} is canceled and refunded`,
    paragraphs: [
      `No organization was chosen for the order of ${mailName(name)} within 14 days. The payment is refunded; banks take up to 10 days to show it.`,
    ],
    action: { label: 'Order again', href },
    notes: [],
  })
