import { notificationKind } from '#lib/notification-kind.ts'

const shared = { service: 'platform-socialize', group: 'Publishing' } as const

const byAll = { inApp: true, email: true, push: true, chat: true }

export const postFailedKind = notificationKind({
  ...shared,
  name: 'social.post_failed',
  title: 'Post failed',
  detail: 'With the cause and what helps',
  icon: 'circle-alert',
  permission: 'posts:read',
  defaults: byAll,
  urgent: true,
})

export const unknownPostKind = notificationKind({
  ...shared,
  name: 'social.post_unknown',
  title: 'Outcome of a post unknown',
  detail: 'It may be published',
  icon: 'circle-help',
  permission: 'posts:read',
  defaults: byAll,
  urgent: true,
})

export const commentFailedKind = notificationKind({
  ...shared,
  name: 'social.comment_failed',
  title: 'First comment failed',
  detail: 'The post itself is published',
  icon: 'circle-alert',
  permission: 'posts:read',
  defaults: byAll,
})

export const unreadyPostKind = notificationKind({
  ...shared,
  name: 'social.post_unready',
  title: 'Scheduled post won’t be published',
  detail: 'While there is time to solve it',
  icon: 'triangle-alert',
  permission: 'posts:read',
  defaults: byAll,
  urgent: true,
})

export const accountKind = notificationKind({
  ...shared,
  name: 'social.account',
  title: 'Account disconnected',
  icon: 'plug',
  permission: 'accounts:read',
  defaults: byAll,
  urgent: true,
})

export const socialKinds = [postFailedKind, unknownPostKind, commentFailedKind, unreadyPostKind, accountKind]
