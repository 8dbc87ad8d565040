import { raiseAction } from '#lib/raised-actions.ts'
import type { Database } from '#lib/db.ts'
import { chatKind } from '../notification-kinds.ts'
import type { ChatRow } from './row.ts'

export const chatCause = (id: string): string => `dashboard.chat:${id}`

/** On the transaction that pauses it. */
export const raiseChatPaused = (tx: Database, { id, organizationId, hint }: ChatRow, problem: string): Promise<void> =>
  raiseAction(tx, {
    kind: chatKind,
    organizationId,
    cause: chatCause(id),
    title: 'Notifications no longer reach your chat',
    reason: `${problem} Nothing more is sent to ${hint} until you connect the chat again.`,
    href: '/settings/notifications',
    actions: [
      { label: 'Connect again', method: 'GET', href: '/settings/notifications', style: 'primary' },
      { label: 'Turn on', method: 'PUT', href: '/api/chat-webhook', body: { enabled: true } },
      {
        label: 'Disconnect',
        method: 'DELETE',
        href: '/api/chat-webhook',
        confirm: 'Disconnect the chat? You need its webhook URL to connect it again.',
      },
    ],
  })
