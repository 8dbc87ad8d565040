import type { Role } from '#lib/actor.ts'
import type { Step } from '../contract.ts'
import type { Template } from './template.ts'

type NotifyStep = Extract<Step, { type: 'notify' }>

const notify = (role: Role): Pick<NotifyStep, 'type' | 'people' | 'role'> => ({ type: 'notify', people: [], role })

export const eventTemplates: readonly Template[] = [
  {
    id: 'failed-post',
    name: 'Failed posts',
    description: 'Notifies editors and raises an action that is due in a day.',
    trigger: { type: 'event', event: 'post.failed', filter: [] },
    steps: [
      {
        ...notify('editor'),
        title: 'A post on {{data.provider}} failed',
        reason: '{{data.message}}',
        href: '/workspace/posts/{{data.postId}}',
      },
      {
        type: 'action',
        title: 'Repair the failed post on {{data.provider}}',
        reason: '{{data.message}}',
        href: '/workspace/posts/{{data.postId}}',
        dueInHours: 24,
      },
    ],
  },
  {
    id: 'published-post',
    name: 'Published posts in the chat',
    description: 'Notifies all members of each published post, in the app and in the chat channel of the organization.',
    trigger: { type: 'event', event: 'post.published', filter: [] },
    steps: [
      {
        ...notify('viewer'),
        chat: true,
        title: 'A post was published on {{data.provider}}',
        reason: 'Address: {{data.permalink}}',
        href: '/workspace/posts/{{data.postId}}',
      },
    ],
  },
  {
    id: 'disconnected-account',
    name: 'Disconnected accounts',
    description: 'Notifies editors and raises an action when an account needs to be reconnected.',
    trigger: { type: 'event', event: 'connection.needs_attention', filter: [] },
    steps: [
      {
        ...notify('editor'),
        title: '{{data.name}} on {{data.provider}} is disconnected',
        reason: 'Its planned posts can’t be published until it is reconnected.',
        href: '/workspace/accounts/{{data.connectionId}}',
      },
      {
        type: 'action',
        title: 'Reconnect {{data.name}}',
        reason: 'Its planned posts can’t be published.',
        href: '/workspace/accounts/{{data.connectionId}}',
        dueInHours: 24,
      },
    ],
  },
  {
    id: 'budget-warning',
    name: 'Budget at 80%',
    description: 'Notifies admins when 80% of a budget is used.',
    trigger: {
      type: 'event',
      event: 'budget.warning',
      filter: [{ field: 'percent', operator: 'equals', value: 80 }],
    },
    steps: [
      {
        ...notify('admin'),
        title: '{{data.percent}} % of a budget is used',
        reason: 'Raise it, or use less until it starts again.',
        href: '/gateway/limits',
      },
    ],
  },
  {
    id: 'new-dispute',
    name: 'New disputes',
    description: 'Notifies admins, raises an action that is due in three days and calls your webhook.',
    trigger: { type: 'event', event: 'dispute.opened', filter: [] },
    steps: [
      {
        ...notify('admin'),
        title: 'A payment is disputed: {{data.reason}}',
        reason: 'Send evidence before its deadline, which the order shows.',
        href: '/pay/orders/{{data.orderId}}',
      },
      {
        type: 'action',
        title: 'Collect evidence for the dispute',
        reason: 'The reason is {{data.reason}}. The order shows until when evidence is due.',
        href: '/pay/orders/{{data.orderId}}',
        dueInHours: 72,
      },
      { type: 'webhook' },
    ],
  },
  {
    id: 'large-refund',
    name: 'Large refunds',
    description:
      'Raises an action to review refunds of more than 10,000 cents, or what the currency has instead of them.',
    trigger: {
      type: 'event',
      event: 'refund.updated',
      filter: [
        { field: 'status', operator: 'equals', value: 'succeeded' },
        { field: 'amount', operator: 'greater_than', value: 10_000 },
      ],
    },
    steps: [
      {
        type: 'action',
        title: 'Review a large refund',
        reason: 'Its amount is more than the limit of this workflow. Its currency is {{data.currency}}.',
        href: '/pay/refunds/{{data.refundId}}',
        dueInHours: 48,
      },
    ],
  },
  {
    id: 'declined-payment',
    name: 'Declined payments',
    description: 'Notifies admins of each payment that was declined.',
    trigger: { type: 'event', event: 'payment.failed', filter: [] },
    steps: [
      {
        ...notify('admin'),
        title: 'A payment was declined',
        reason: '{{data.code}} {{data.message}}',
        href: '/pay/orders/{{data.orderId}}',
      },
    ],
  },
  {
    id: 'new-member',
    name: 'New members',
    description:
      'Notifies admins of each person who joins, and raises an action to welcome them that is due in two days.',
    trigger: { type: 'event', event: 'member.joined', filter: [] },
    steps: [
      {
        ...notify('admin'),
        title: '{{data.name}} joined',
        reason: 'Their role is {{data.role}}. Check that it fits their work.',
        href: '/settings/members',
      },
      {
        type: 'action',
        title: 'Welcome {{data.name}}',
        reason: 'Show them the brands and apps that they work with.',
        href: '/settings/members',
        dueInHours: 48,
      },
    ],
  },
  {
    id: 'new-key',
    name: 'New API keys',
    description: 'Notifies owners of each API key that is created.',
    trigger: { type: 'event', event: 'key.created', filter: [] },
    steps: [
      {
        ...notify('owner'),
        title: 'The API key {{data.name}} was created',
        reason: 'It is for {{data.service}}. Revoke it if it isn’t needed.',
        href: '/settings/organization',
      },
    ],
  },
]
