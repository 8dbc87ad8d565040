import { and, eq, sql } from 'drizzle-orm'
import { responsibleOf, type Actor } from '#lib/actor.ts'
import { recordChange } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { conflict, notFound, versionConflict } from '#lib/errors.ts'
import { newId } from '#lib/ids.ts'
import { newSigningSecret } from '#lib/outgoing-webhooks/signature.ts'
import { byId, type PageOf } from '#lib/paginate.ts'
import { workflows } from '../schema.ts'
import { wholeOrganizationOf } from './check.ts'
import type { WorkflowChange, WorkflowDraft } from './contract.ts'
import { endFailing } from './failing.ts'
import { nextRun } from './triggers/schedule.ts'
import { sealWorkflowSecret } from './secret.ts'
import { endSubscription, subscribe } from './triggers/subscription.ts'

export type WorkflowRow = typeof workflows.$inferSelect
type StoreCall = Pick<Call<unknown, Actor>, 'db' | 'actor' | 'now' | 'secrets'>

const maxWorkflows = 50

export async function listWorkflowRows(
  { db, actor }: Pick<StoreCall, 'db' | 'actor'>,
  query: { limit: number; cursor?: string },
): Promise<PageOf<WorkflowRow>> {
  const slice = byId(workflows.id).slice(query)
  const rows = await db
    .select()
    .from(workflows)
    .where(and(eq(workflows.organizationId, wholeOrganizationOf(actor, 'workflows:read')), slice.where))
    .orderBy(...slice.order)
    .limit(slice.limit)
  return slice.page(rows)
}

const own = (organizationId: string, id: string) =>
  and(eq(workflows.id, id), eq(workflows.organizationId, organizationId))

/** @throws {Problem} 404 */
export async function findWorkflow(db: Database, organizationId: string, id: string): Promise<WorkflowRow> {
  const [row] = await db.select().from(workflows).where(own(organizationId, id))
  if (!row) throw notFound('workflow')
  return row
}

/** Until the transaction ends. @throws {Problem} 404 */
export async function lockWorkflow(db: Database, organizationId: string, id: string): Promise<WorkflowRow> {
  const [row] = await db.select().from(workflows).where(own(organizationId, id)).for('no key update')
  if (!row) throw notFound('workflow')
  return row
}

/** @throws {Problem} 409 past 50 */
export async function createWorkflow(
  { db, actor, now, secrets }: StoreCall,
  draft: WorkflowDraft,
  state: WorkflowRow['state'] = 'enabled',
): Promise<WorkflowRow & { secret: string }> {
  const organizationId = wholeOrganizationOf(actor, 'workflows:write')
  await db.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`workflows ${organizationId}`}, 0))`)
  if ((await db.$count(workflows, eq(workflows.organizationId, organizationId))) >= maxWorkflows)
    throw conflict(
      'too_many_workflows',
      `An organization can have at most ${maxWorkflows} workflows. Delete one first.`,
    )
  const id = newId()
  const secret = newSigningSecret()
  const at = now()
  const [row] = await db
    .insert(workflows)
    .values({
      ...draft,
      id,
      organizationId,
      state,
      sealedSecret: sealWorkflowSecret(secrets, id, secret),
      nextRunAt: plannedAt(state, draft.trigger, at),
      createdBy: responsibleOf(actor),
      createdAt: at,
      updatedAt: at,
    })
    .returning()
  if (!row) throw new Error('The workflow was not inserted')
  await subscribe(db, row, at)
  recordChange(db, { object: 'workflow', id, after: auditFields(row) })
  return { ...row, secret }
}

const plannedAt = (state: WorkflowRow['state'], trigger: WorkflowRow['trigger'], at: Date): Date | null =>
  state === 'enabled' && trigger.type === 'schedule' ? nextRun(trigger, at) : null

/** Of one that is locked. `expected` is null for any version. @throws {Problem} 409 */
export async function updateWorkflow(
  { db, now }: StoreCall,
  before: WorkflowRow,
  {
    name = before.name,
    trigger = before.trigger,
    steps = before.steps,
    state = before.state,
  }: Omit<WorkflowChange, 'id' | 'version'>,
  expected: number[] | null,
): Promise<WorkflowRow> {
  if (expected && !expected.includes(before.version)) throw versionConflict('this workflow', expected, before.version)
  const at = now()
  const isEnabled = before.state === 'paused' && state === 'enabled'
  const isPlanned = before.state === state && Bun.deepEquals(before.trigger, trigger)
  const [row] = await db
    .update(workflows)
    .set({
      name,
      trigger,
      steps,
      state,
      // A time that has come and isn't started yet still starts.
      nextRunAt: isPlanned ? before.nextRunAt : plannedAt(state, trigger, at),
      ...(isEnabled && { failures: 0 }),
      version: before.version + 1,
      updatedAt: at,
    })
    .where(eq(workflows.id, before.id))
    .returning()
  if (!row) throw notFound('workflow')
  await subscribe(db, row, at)
  if (isEnabled) await endFailing(db, row.id)
  recordChange(db, { object: 'workflow', id: row.id, before: auditFields(before), after: auditFields(row) })
  return row
}

export async function deleteWorkflow({ db, actor }: Pick<StoreCall, 'db' | 'actor'>, id: string): Promise<WorkflowRow> {
  const before = await lockWorkflow(db, wholeOrganizationOf(actor, 'workflows:write'), id)
  await db.delete(workflows).where(eq(workflows.id, id))
  await endSubscription(db, id)
  await endFailing(db, id)
  recordChange(db, { object: 'workflow', id, before: auditFields(before) })
  return before
}

/** The new one is valid at once. */
export async function rotateWorkflowSecret(
  { db, actor, now, secrets }: StoreCall,
  id: string,
): Promise<WorkflowRow & { secret: string }> {
  const before = await lockWorkflow(db, wholeOrganizationOf(actor, 'workflows:write'), id)
  const secret = newSigningSecret()
  const [row] = await db
    .update(workflows)
    .set({ sealedSecret: sealWorkflowSecret(secrets, id, secret), version: before.version + 1, updatedAt: now() })
    .where(eq(workflows.id, id))
    .returning()
  if (!row) throw notFound('workflow')
  recordChange(db, { object: 'workflow', id, after: { name: row.name, secret: 'rotated' } })
  return { ...row, secret }
}

const auditFields = ({ name, state, trigger, steps }: WorkflowRow) => ({
  name,
  state,
  trigger: trigger.type === 'event' ? trigger.event : `${trigger.cron} ${trigger.timeZone}`,
  steps: steps.map(({ type }) => type),
})
