import { desc, eq, and, sql, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import type { AuditEvent, AuditFilter } from '#lib/audit/contract.ts'
import { listEvents } from '#lib/audit/events.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import type { PageOf } from '#lib/paginate.ts'
import { auditLog } from '#lib/schema.ts'
import type { AuditLine, PaymentAuditOptions } from '../contract/audit.ts'
import { findWords } from './words.ts'

type AuditCall = Pick<Call<unknown, Actor>, 'db' | 'actor' | 'identity'>

const service = 'platform-pay'
const permission = 'audit:read'

/** @throws {Problem} 422 for a cursor of another list */
export function listPaymentEvents(
  call: AuditCall,
  filter: AuditFilter & { limit: number; cursor?: string },
): Promise<PageOf<z.input<typeof AuditEvent>>> {
  const organizationId = organizationOf(call.actor, permission)
  return listEvents(call.db, organizationId, { ...filter, service }, (rows) => findWords(call, organizationId, rows))
}

export const lineOf = ({ principal, credential, object, ...event }: z.input<typeof AuditEvent>) =>
  ({
    ...event,
    who: principal?.name ?? null,
    principalId: principal?.id ?? null,
    credential: credential?.kind ?? null,
    credentialId: credential?.id ?? null,
    object: object?.kind ?? null,
    objectId: object?.id ?? null,
    objectName: object?.name ?? null,
  }) satisfies z.input<typeof AuditLine>

const latestRows = 1_000
const maxOptions = 100

/** Of the latest 1,000 entries. */
export async function listAuditOptions({ db, actor, identity }: AuditCall): Promise<PaymentAuditOptions> {
  const own = and(eq(auditLog.organizationId, organizationOf(actor, permission)), eq(auditLog.service, service))
  const [principals, operations] = await Promise.all([
    listUsed(db, auditLog.principalId, own),
    listUsed(db, auditLog.operation, own),
  ])
  const people = await identity.people(principals)
  return { people: [...people].map(([id, { name }]) => ({ id, name })), operations }
}

async function listUsed(db: Database, column: PgColumn, own: SQL | undefined): Promise<string[]> {
  const latest = db
    .select({ value: sql<string | null>`${column}`.as('value') })
    .from(auditLog)
    .where(own)
    .orderBy(desc(auditLog.at), desc(auditLog.id))
    .limit(latestRows)
    .as('latest')
  const rows = await db
    .select({ value: latest.value })
    .from(latest)
    .groupBy(latest.value)
    .orderBy(desc(sql`count(*)`), latest.value)
    .limit(maxOptions)
  return rows.flatMap(({ value }) => value ?? [])
}
