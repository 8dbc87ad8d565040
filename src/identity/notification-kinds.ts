import { notificationKind } from '#lib/notification-kind.ts'
import { webhookKind } from '#lib/outgoing-webhooks/notification-kind.ts'

const shared = { service: 'platform-identity', group: 'Organization' } as const

export const seatsKind = notificationKind({
  ...shared,
  name: 'identity.seats',
  title: 'More people than seats',
  icon: 'users',
  permission: 'role:admin',
  defaults: { inApp: true, email: true, push: false, chat: false },
})

export const invitationKind = notificationKind({
  ...shared,
  name: 'identity.invitation',
  title: 'Invitation accepted',
  detail: 'Of people you invited',
  icon: 'user-plus',
  permission: 'role:viewer',
  defaults: { inApp: true, email: false, push: false, chat: false },
})

/** The reminder by email goes to the person who created the key, whatever they chose. */
export const keyKind = notificationKind({
  ...shared,
  name: 'identity.api_key',
  title: 'API key expires',
  detail: '7 days before it ends',
  icon: 'key-round',
  permission: 'role:admin',
  defaults: { inApp: true, email: false, push: false, chat: false },
})

export const identityKinds = [invitationKind, keyKind, seatsKind, webhookKind]
