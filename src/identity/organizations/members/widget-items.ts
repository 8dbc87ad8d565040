import { and, asc, eq, gt, isNotNull, isNull, lte, sql } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import type { Database } from '#lib/db.ts'
import { widgetText, type WidgetInput } from '#lib/widget.ts'
import { heldPermissions } from '../permissions/held-permissions.ts'
import {
  apiKeys,
  invitations,
  memberships,
  organizationDomains,
  servicePermissions,
  services,
  users,
} from '../../schema.ts'
import { isEnrolled } from './second-factors.ts'

type Items = WidgetInput['items']

const maxOfKind = 4
const expirySoonMs = 14 * 24 * 60 * 60 * 1000

/** What everyone has to do for their own account. */
export async function listOwnWarnings(db: Database, { principal }: Actor): Promise<Items> {
  const missing = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, principal.id), sql`NOT ${isEnrolled}`))
  return missing.map(({ id }) => ({
    id,
    title: 'Set up two-factor authentication',
    subtitle: 'Only a password protects your account',
    at: null,
    status: 'warning',
    href: '/settings/security',
  }))
}

/** What an admin has to look at: domains, keys that expire, and invitations that wait, the most urgent first. */
export async function listAdminItems(db: Database, actor: Actor, organizationId: string, now: Date): Promise<Items> {
  const lists = await Promise.all([
    listLostDomains(db, organizationId),
    listExpiringKeys(db, actor, organizationId, now),
    listPendingInvitations(db, organizationId, now),
  ])
  return lists.flat()
}

async function listLostDomains(db: Database, organizationId: string): Promise<Items> {
  const rows = await db
    .select()
    .from(organizationDomains)
    .where(and(eq(organizationDomains.organizationId, organizationId), isNotNull(organizationDomains.missingSince)))
    .orderBy(asc(organizationDomains.missingSince))
    .limit(maxOfKind)
  return rows.map(({ id, domain, missingSince }) => ({
    id,
    title: widgetText(domain),
    subtitle: 'The DNS record that verifies this domain is missing',
    at: missingSince,
    status: 'warning',
    href: '/settings/sign-in',
  }))
}

/** Of services whose keys the person manages. A replaced key isn’t missed when it ends. */
async function listExpiringKeys(db: Database, actor: Actor, organizationId: string, now: Date): Promise<Items> {
  const rows = await db
    .select({ id: apiKeys.id, name: apiKeys.name, expiresAt: apiKeys.expiresAt, service: services.name })
    .from(apiKeys)
    .innerJoin(services, eq(services.id, apiKeys.serviceId))
    .innerJoin(memberships, eq(memberships.organizationId, apiKeys.organizationId))
    .where(
      and(
        eq(apiKeys.organizationId, organizationId),
        eq(memberships.userId, actor.principal.id),
        isNull(apiKeys.revokedAt),
        isNull(apiKeys.overlapEndsAt),
        gt(apiKeys.expiresAt, now),
        lte(apiKeys.expiresAt, new Date(now.getTime() + expirySoonMs)),
        isManaged,
      ),
    )
    .orderBy(asc(apiKeys.expiresAt))
    .limit(maxOfKind)
  return rows.map(({ id, name, expiresAt, service }) => ({
    id,
    title: widgetText(name),
    subtitle: widgetText(`API key of ${service} expires soon`),
    at: expiresAt,
    status: 'expiring',
    href: `/settings/keys/${id}`,
  }))
}

const manages = sql`'api_keys:write'`

/** As `canManage` of API keys, which a token for one app can’t answer: it has no permissions of other services. */
const isManaged = sql`(
  NOT EXISTS (SELECT FROM ${servicePermissions}
    WHERE ${servicePermissions.serviceId} = ${apiKeys.serviceId} AND ${servicePermissions.permission} = ${manages})
  OR EXISTS (SELECT FROM ${heldPermissions}
    WHERE held.service_id = ${apiKeys.serviceId} AND held.permission = ${manages}))`

async function listPendingInvitations(db: Database, organizationId: string, now: Date): Promise<Items> {
  const rows = await db
    .select()
    .from(invitations)
    .where(and(eq(invitations.organizationId, organizationId), gt(invitations.expiresAt, now)))
    .orderBy(asc(invitations.expiresAt))
    .limit(maxOfKind)
  return rows.map(({ id, email, role, expiresAt }) => ({
    id,
    title: widgetText(email),
    subtitle: `Invited as ${role}, not accepted yet`,
    at: expiresAt,
    status: 'pending',
    href: '/settings/members',
  }))
}
