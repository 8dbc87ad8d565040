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

export const accountEndingKind = notificationKind({
  ...shared,
  name: 'social.account_ending',
  title: 'Sign-in of an account ends in a week',
  detail: 'It can’t be renewed',
  icon: 'plug',
  permission: 'accounts:read',
  defaults: byAll,
})

export const accountEndsTomorrowKind = notificationKind({
  ...shared,
  name: 'social.account_ends_tomorrow',
  title: 'Sign-in of an account ends within a day',
  detail: 'Posts to it fail then',
  icon: 'plug',
  permission: 'accounts:read',
  defaults: byAll,
  urgent: true,
})

export const reviewRequestedKind = notificationKind({
  ...shared,
  group: 'Review',
  name: 'review.requested',
  title: 'Review requested',
  detail: 'A post waits for your decision',
  icon: 'badge-check',
  permission: 'posts:review',
  defaults: byAll,
})

export const reviewDecidedKind = notificationKind({
  ...shared,
  group: 'Review',
  name: 'review.decided',
  title: 'Your post was reviewed',
  detail: 'Approved, or with requested changes',
  icon: 'badge-check',
  permission: 'posts:read',
  defaults: byAll,
})

export const mentionedKind = notificationKind({
  ...shared,
  group: 'Review',
  name: 'comment.mentioned',
  title: 'You were mentioned in a comment',
  icon: 'message-circle',
  permission: 'posts:read',
  defaults: byAll,
})

export const guestCommentedKind = notificationKind({
  ...shared,
  group: 'Review',
  name: 'review.guest_commented',
  title: 'A guest commented',
  detail: 'On your post, or with a link of yours',
  icon: 'message-circle',
  permission: 'posts:read',
  defaults: byAll,
})

export const reviewLinkRequestedKind = notificationKind({
  ...shared,
  group: 'Review',
  name: 'review.link_requested',
  title: 'New review link requested',
  detail: 'By a guest whose link has expired',
  icon: 'link',
  permission: 'posts:review',
  defaults: byAll,
})

export const socialKinds = [
  postFailedKind,
  unknownPostKind,
  commentFailedKind,
  unreadyPostKind,
  accountKind,
  accountEndingKind,
  accountEndsTomorrowKind,
  reviewRequestedKind,
  reviewDecidedKind,
  mentionedKind,
  guestCommentedKind,
  reviewLinkRequestedKind,
]
