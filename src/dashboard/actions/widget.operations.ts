import { z } from 'zod'
import { operation } from '#lib/operation.ts'
import { countMetric, pageAction, Widget, widgetText } from '#lib/widget.ts'
import { countOpen, listNotificationRows } from './list.ts'
import { serviceNameOf } from './services.ts'

const slug = 'platform-dashboard-api'
const maxItems = 5

export const getActionsWidget = operation({
  route: 'GET /api/widget',
  appTokens: true,
  summary: 'Get the widget of open actions',
  permission: 'dashboard:read',
  input: z.object({}),
  output: Widget,
  problems: { not_found: 404 },
  run: async (call) => {
    const serviceId = await call.identity.serviceId(slug)
    const canRead = call.actor.permissions.has(`${serviceId}.notifications:read`)
    const [open, { items }] = canRead
      ? await Promise.all([
          countOpen(call),
          listNotificationRows(call, { state: 'open', surface: 'action', limit: maxItems }),
        ])
      : [0, { items: [] }]
    return {
      app: { slug, name: 'Actions' },
      title: 'Actions',
      generatedAt: call.now(),
      metrics: canRead ? [countMetric('Open', open, '/actions')] : [],
      items: items.map(({ notification: { id, title, service, dueAt } }) => ({
        id,
        title: widgetText(title),
        subtitle: serviceNameOf(service),
        at: dueAt,
        status: 'open',
        href: `/actions#action-${id}`,
      })),
      series: [],
      actions: canRead ? [pageAction('All actions', '/actions')] : [],
    }
  },
})
