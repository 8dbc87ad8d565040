import type { Template } from './template.ts'

export const scheduleTemplates: readonly Template[] = [
  {
    id: 'weekly-plan',
    name: 'Weekly planning',
    description: 'Raises an action to plan the posts of the week, every Monday at 9:00.',
    trigger: { type: 'schedule', cron: '0 9 * * 1' },
    steps: [
      {
        type: 'action',
        title: 'Plan the posts of this week',
        reason: 'A new week begins.',
        href: '/workspace/posts',
        dueInHours: 24,
      },
    ],
  },
  {
    id: 'monthly-report',
    name: 'Monthly report',
    description: 'Reminds admins of the report of the last month, and raises an action, on the first day at 9:00.',
    trigger: { type: 'schedule', cron: '0 9 1 * *' },
    steps: [
      {
        type: 'notify',
        role: 'admin',
        people: [],
        title: 'The last month is over',
        reason: 'Look at its numbers before you report them.',
        href: '/dashboard',
      },
      {
        type: 'action',
        title: 'Report the last month',
        reason: 'The last month is over.',
        href: '/dashboard',
        dueInHours: 72,
      },
    ],
  },
]
