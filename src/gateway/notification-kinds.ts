import { notificationKind } from '#lib/notification-kind.ts'

const shared = {
  service: 'platform-gateway',
  group: 'AI and email',
  permission: 'usage:read',
} as const

const byEmail = { inApp: true, email: true, push: false, chat: false }

export const budgetKind = notificationKind({
  ...shared,
  name: 'gateway.budget',
  title: 'Budget used',
  detail: 'At 50%, 80% and 100%',
  icon: 'piggy-bank',
  defaults: { ...byEmail, push: true, chat: true },
})

export const credentialKind = notificationKind({
  ...shared,
  name: 'gateway.credential',
  title: 'Provider key doesn’t work',
  icon: 'key-round',
  defaults: { ...byEmail, push: true },
})

export const modelKind = notificationKind({
  ...shared,
  name: 'gateway.model',
  title: 'Model retires or has no price',
  detail: '60 days before it ends',
  icon: 'layers',
  defaults: byEmail,
})

export const senderKind = notificationKind({
  ...shared,
  name: 'gateway.sender',
  title: 'Sender or domain can’t send',
  detail: 'After bounces, or when a DNS record is missing',
  icon: 'mail-x',
  defaults: byEmail,
})

export const deadLetterKind = notificationKind({
  ...shared,
  name: 'gateway.dead_letter',
  title: 'Email failed',
  detail: 'In all attempts',
  icon: 'mail-x',
  defaults: { ...byEmail, email: false },
})

export const gatewayKinds = [budgetKind, credentialKind, modelKind, senderKind, deadLetterKind]
