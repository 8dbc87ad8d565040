import { notificationKind } from '../notification-kind.ts'

/** Of identity, since every process has webhooks and only services have a name that people know. */
export const webhookKind = notificationKind({
  service: 'platform-identity',
  group: 'Organization',
  name: 'identity.webhook',
  title: 'Webhook endpoint failing',
  detail: 'After half an hour without a delivery',
  icon: 'webhook',
  permission: 'role:admin',
  defaults: { inApp: true, email: true, push: false, chat: true },
})
