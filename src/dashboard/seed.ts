import { z } from 'zod'
import { CreatedObject, itemsOf, type Client } from '#lib/seed-client.ts'
import { seedSubscription } from './billing/seed.ts'
import { seedInbox } from './marketing/seed.ts'

const Person = z.object({ id: z.string(), role: z.string() })
const Me = z.object({ organization: z.object({ id: z.string() }).nullable() })
const Layout = z.object({ widgets: z.array(z.object({ app: z.string(), columns: z.number(), hidden: z.boolean() })) })

const hourMs = 60 * 60_000

/** In the groups overdue, today and later, besides those that the other services raise. */
const demoActions = [
  {
    cause: 'demo-deposit',
    title: 'Pay the deposit of the espresso machine',
    reason: 'The supplier holds the offer until the end of the week.',
    href: '/pay/orders',
    dueInHours: 4,
  },
  {
    cause: 'demo-photos',
    title: 'Choose the photos of the autumn menu',
    reason: 'The photographer sent 24 of them.',
    href: '/workspace/posts',
    dueInHours: 72,
    assign: true,
  },
  {
    cause: 'demo-survey',
    title: 'Read the answers of the customer survey',
    reason: 'It closed with 118 answers.',
    href: '/dashboard',
    snooze: true,
  },
] as const

const demoPreferences = {
  quietHours: true,
  quietFrom: '22:00',
  quietUntil: '06:30',
  quietDays: [1, 2, 3, 4, 5],
  choices: [
    { kind: 'dashboard.posted', channel: 'push', enabled: true },
    { kind: 'dashboard.chat', channel: 'email', enabled: false },
  ],
}

const demoWorkflow = {
  name: 'Weekly review',
  trigger: { type: 'schedule', cron: '0 9 * * 1', timeZone: 'Europe/Berlin' },
  steps: [
    {
      type: 'action',
      title: 'Review last week',
      reason: 'Look at the posts and orders of the week.',
      href: '/dashboard',
    },
    { type: 'notify', title: 'The weekly review is due', reason: 'It is Monday.', href: '/actions', role: 'admin' },
  ],
}

/** Through its API, like a person. Existing workflows show that it ran. */
export async function seedDashboard(owner: Client, now: Date): Promise<void> {
  const { items } = await owner.request('GET /api/workflows?limit=1', itemsOf(z.unknown()))
  if (items.length > 0) return
  // Before what is raised below, of which the owner is told accordingly.
  await owner.request('PUT /api/notification-preferences', z.unknown(), demoPreferences)
  const colleague = await findColleague(owner)
  for (const { dueInHours, assign, snooze, ...draft } of demoActions.map((each) => ({ ...optional, ...each }))) {
    const dueAt = dueInHours === undefined ? undefined : new Date(now.getTime() + dueInHours * hourMs)
    const { id } = await owner.request('POST /api/notifications', CreatedObject, { ...draft, dueAt })
    if (assign && colleague)
      await owner.request(`POST /api/notifications/${id}/assign`, z.unknown(), { personId: colleague })
    if (snooze) await owner.request(`POST /api/notifications/${id}/snooze`, z.unknown(), { hours: 48 })
  }
  await arrange(owner)
  for (const serviceId of ['platform-socialize', 'platform-pay'])
    await owner.request('POST /api/launches', z.unknown(), { serviceId, surface: 'catalog' })
  const { id } = await owner.request('POST /api/workflows', CreatedObject, demoWorkflow)
  await owner.request(`POST /api/workflows/${id}/run`, z.unknown(), {})
  await seedInbox(owner)
  await seedSubscription(owner)
}

const optional: { dueInHours?: number; assign?: boolean; snooze?: boolean } = {}

/** Someone to do it. */
async function findColleague(owner: Client): Promise<string | undefined> {
  const { organization } = await owner.request('GET /api/auth/me', Me)
  const members = `/api/organizations/${organization?.id ?? ''}/members?limit=20`
  const { items } = await owner.request(`GET ${members}`, itemsOf(Person))
  return items.find(({ role }) => role === 'editor')?.id
}

/** Payments first, as wide as the grid. */
async function arrange(owner: Client): Promise<void> {
  const { widgets } = await owner.request('GET /api/dashboard/layout', Layout)
  const isFirst = ({ app }: { app: string }) => app === 'platform-pay'
  const arranged = [
    ...widgets.filter(isFirst).map((widget) => ({ ...widget, columns: 12 })),
    ...widgets.filter((widget) => !isFirst(widget)),
  ]
  await owner.request('PUT /api/dashboard/layout', z.unknown(), { widgets: arranged })
}
