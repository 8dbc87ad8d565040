import { and, eq, gt } from 'drizzle-orm'
import { z } from 'zod'
import { isAllowed, organizationOf } from '#lib/authorize.ts'
import { operation } from '#lib/operation.ts'
import { countMetric, pageAction, Widget } from '#lib/widget.ts'
import { invitations } from '../../schema.ts'
import { entitlementOf, seatsOf } from '../entitlements/entitlements.ts'

export const getIdentityWidget = operation({
  route: 'GET /api/widget',
  appTokens: true,
  summary: 'Get the widget of members',
  permission: 'role:viewer',
  input: z.object({}),
  output: Widget,
  run: async ({ db, actor, now }) => {
    const organizationId = organizationOf(actor)
    const at = now()
    const canInvite = isAllowed(actor, 'role:admin', '')
    const { seats: paid } = await entitlementOf(db, organizationId)
    const isOpen = and(eq(invitations.organizationId, organizationId), gt(invitations.expiresAt, at))
    const [seats, pending] = await Promise.all([
      seatsOf(db, organizationId, paid),
      canInvite ? db.$count(invitations, isOpen) : 0,
    ])
    const detail = seats.paid === null ? undefined : `of ${seats.paid} seats`
    return {
      app: { slug: 'platform-identity', name: 'Identity' },
      title: 'Members',
      generatedAt: at,
      metrics: [
        countMetric('Members', seats.used, '/settings/members', detail),
        ...(canInvite ? [countMetric('Pending invitations', pending, '/settings/members')] : []),
      ],
      items: [],
      series: [],
      actions: canInvite ? [pageAction('Invite people', '/settings/members')] : [],
    }
  },
})
