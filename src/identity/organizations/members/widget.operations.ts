import { and, eq, gt } from 'drizzle-orm'
import { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { isAllowed, organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import { operation } from '#lib/operation.ts'
import { counted } from '#lib/text.ts'
import { countMetric, pageAction, Widget } from '#lib/widget.ts'
import { invitations } from '../../schema.ts'
import { entitlementOf, seatsOf } from '../entitlements/entitlements.ts'
import { countSecondFactors } from './second-factors.ts'
import { listAdminItems, listOwnWarnings } from './widget-items.ts'

const members = '/settings/members'

export const getIdentityWidget = operation({
  route: 'GET /api/widget',
  appTokens: true,
  summary: 'Get the widget of members',
  permission: 'role:viewer',
  input: z.object({}),
  output: Widget,
  problems: { not_found: 404 },
  run: async (call) => {
    const { db, actor, now } = call
    const organizationId = organizationOf(actor)
    const [seats, own, admins] = await Promise.all([
      entitlementOf(db, organizationId).then(({ seats: paid }) => seatsOf(db, organizationId, paid)),
      listOwnWarnings(db, actor),
      isAllowed(actor, 'role:admin', '') ? describeForAdmins(call, organizationId) : null,
    ])
    const detail = seats.paid === null ? undefined : `of ${counted(seats.paid, 'seat')}`
    return {
      app: { slug: 'platform-identity', name: 'Identity' },
      title: 'Members',
      generatedAt: now(),
      metrics: [countMetric('Members', seats.used, members, detail), ...(admins?.metrics ?? [])],
      items: [...own, ...(admins?.items ?? [])],
      series: [],
      actions: admins ? [pageAction('Invite people', `${members}#invite`)] : [],
    }
  },
})

async function describeForAdmins({ db, actor, now }: Call<unknown, Actor>, organizationId: string) {
  const at = now()
  const isOpen = and(eq(invitations.organizationId, organizationId), gt(invitations.expiresAt, at))
  const [pending, factors, items] = await Promise.all([
    db.$count(invitations, isOpen),
    countSecondFactors(db, organizationId),
    listAdminItems(db, actor, organizationId, at),
  ])
  return {
    metrics: [
      countMetric('Pending invitations', pending, members),
      countMetric('Without two-factor', factors.missing, members, ofPeople(factors.people)),
    ],
    items,
  }
}

const ofPeople = (people: number): string => (people === 1 ? 'of 1 person' : `of ${people} people`)
