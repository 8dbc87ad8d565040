import { notificationKind } from '#lib/notification-kind.ts'

const shared = { service: 'platform-pay', group: 'Money' } as const

const byEmail = { inApp: true, email: true, push: false, chat: false }
const byAll = { inApp: true, email: true, push: true, chat: false }

export const disputeKind = notificationKind({
  ...shared,
  name: 'payments.dispute',
  title: 'Dispute opened',
  detail: 'With the date until which evidence can be sent',
  icon: 'shield-alert',
  permission: 'payments:read',
  defaults: byAll,
})

export const refundApprovalKind = notificationKind({
  ...shared,
  name: 'payments.refund_approval',
  title: 'Refund needs a second person',
  icon: 'user-check',
  permission: 'payments:read',
  defaults: byAll,
  locked: ['inApp'],
})

export const settlementApprovalKind = notificationKind({
  ...shared,
  name: 'payments.settlement_approval',
  title: 'Settlement needs a second person',
  icon: 'user-check',
  permission: 'transactions:read',
  defaults: byAll,
  locked: ['inApp'],
})

export const ceilingKind = notificationKind({
  ...shared,
  name: 'payments.ceiling',
  title: 'Raised ceiling needs a second person',
  icon: 'gauge',
  permission: 'settings:read',
  defaults: byEmail,
  locked: ['inApp'],
})

/** Of payments and refunds. */
export const unknownPaymentKind = notificationKind({
  ...shared,
  name: 'payments.unknown_payment',
  title: 'Outcome of a payment or refund unknown',
  icon: 'circle-help',
  permission: 'payments:read',
  defaults: byEmail,
})

export const unpaidRecipientKind = notificationKind({
  ...shared,
  name: 'payments.payout',
  title: 'Payout unknown, returned or not started',
  icon: 'landmark',
  permission: 'transactions:read',
  defaults: byAll,
})

export const excessKind = notificationKind({
  ...shared,
  name: 'payments.excess',
  title: 'Order or invoice paid twice',
  icon: 'undo-2',
  permission: 'payments:read',
  defaults: byEmail,
})

export const differenceKind = notificationKind({
  ...shared,
  name: 'payments.difference',
  title: 'Ledger and provider differ',
  icon: 'arrow-left-right',
  permission: 'transactions:read',
  defaults: byEmail,
})

export const providerEventsKind = notificationKind({
  ...shared,
  name: 'payments.provider_events',
  title: 'Events of the provider failed',
  icon: 'webhook',
  permission: 'payments:read',
  defaults: byEmail,
})

export const accountKind = notificationKind({
  ...shared,
  name: 'payments.account',
  title: 'Provider account needs a key',
  icon: 'key-round',
  permission: 'settings:read',
  defaults: byEmail,
})

/** Of the platform's own packages: only its super admins' organization gets them. */
export const subscriptionKind = notificationKind({
  ...shared,
  name: 'payments.subscription',
  title: 'Subscription needs attention',
  icon: 'credit-card',
  permission: 'payments:read',
  defaults: byEmail,
})

export const paymentsKinds = [
  disputeKind,
  refundApprovalKind,
  settlementApprovalKind,
  ceilingKind,
  unknownPaymentKind,
  unpaidRecipientKind,
  excessKind,
  differenceKind,
  providerEventsKind,
  accountKind,
  subscriptionKind,
]
