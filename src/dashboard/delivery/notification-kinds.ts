import { notificationKind } from '#lib/notification-kind.ts'

const shared = { service: 'platform-dashboard-api', permission: 'notifications:read' } as const

/** Of what programs and people post, which has no kind of its own. */
export const postedKind = notificationKind({
  ...shared,
  name: 'dashboard.posted',
  group: 'Apps',
  title: 'Posted by an app or the API',
  icon: 'blocks',
  defaults: { inApp: true, email: true, push: false, chat: false },
})

export const chatKind = notificationKind({
  ...shared,
  name: 'dashboard.chat',
  group: 'Organization',
  title: 'Chat not delivered',
  detail: 'The webhook of the chat channel fails',
  icon: 'webhook',
  permission: 'settings:write',
  defaults: { inApp: true, email: true, push: false, chat: false },
  locked: ['inApp'],
})

export const deliveryKinds = [postedKind, chatKind]
