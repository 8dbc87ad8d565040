import { notificationKind } from '#lib/notification-kind.ts'

const shared = { service: 'platform-dashboard-api', group: 'Workflows', icon: 'list-tree' } as const

export const workflowActionKind = notificationKind({
  ...shared,
  name: 'dashboard.workflow_action',
  title: 'Action of a workflow',
  permission: 'notifications:read',
  defaults: { inApp: true, email: false, push: false, chat: false },
})

export const workflowNoticeKind = notificationKind({
  ...shared,
  name: 'dashboard.workflow_notice',
  title: 'Notification of a workflow',
  permission: 'notifications:read',
  defaults: { inApp: true, email: true, push: false, chat: false },
})

export const workflowChatKind = notificationKind({
  ...shared,
  name: 'dashboard.workflow_chat',
  title: 'Notification of a workflow in the chat',
  permission: 'notifications:read',
  defaults: { inApp: true, email: false, push: false, chat: true },
})

export const workflowFailingKind = notificationKind({
  ...shared,
  name: 'dashboard.workflow_failing',
  title: 'Workflow paused or at its limit',
  permission: 'workflows:read',
  defaults: { inApp: true, email: true, push: false, chat: false },
})

export const workflowKinds = [workflowActionKind, workflowNoticeKind, workflowChatKind, workflowFailingKind] as const

const names: ReadonlySet<unknown> = new Set(workflowKinds.map(({ name }) => name))

/** What a workflow raised starts no workflow, so that they can't start each other forever. */
export const isRaisedByWorkflow = (kind: unknown): boolean => names.has(kind)
