import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { Step, StepLog } from '../workflows/contract.ts'
import type { Trigger } from '../workflows/triggers/contract.ts'
import { createdAt, dashboard, id, time } from './base.ts'

/** What starts at an event or by a schedule, and its steps in order. */
export const workflows = dashboard.table(
  'workflows',
  {
    id: id(),
    organizationId: uuid().notNull(),
    name: text().notNull(),
    state: text({ enum: ['enabled', 'paused'] }).notNull(),
    trigger: jsonb().$type<Trigger>().notNull(),
    steps: jsonb().$type<Step[]>().notNull(),
    /** `whsec_…`, sealed. Signs the requests of its webhook steps. */
    sealedSecret: text().notNull(),
    /** Of an enabled one with a schedule. */
    nextRunAt: time(),
    /** Runs that failed since the last one that succeeded. */
    failures: integer().notNull().default(0),
    /** Null when an API key created it, and for those from before it was stored. */
    createdBy: uuid(),
    version: integer().notNull().default(1),
    createdAt: createdAt(),
    updatedAt: time().notNull(),
  },
  (table) => [
    index('workflows_organization').on(table.organizationId, table.id),
    index('workflows_planned')
      .on(table.nextRunAt)
      .where(sql`next_run_at IS NOT NULL`),
    check('workflows_state', sql`${table.state} IN ('enabled', 'paused')`),
    check('workflows_planned_state', sql`${table.nextRunAt} IS NULL OR ${table.state} = 'enabled'`),
    check(
      'workflows_steps',
      sql`jsonb_typeof(${table.steps}) = 'array' AND jsonb_array_length(${table.steps}) BETWEEN 1 AND 10`,
    ),
    check('workflows_failures', sql`${table.failures} >= 0`),
  ],
)

export const workflowRuns = dashboard.table(
  'workflow_runs',
  {
    id: id(),
    organizationId: uuid().notNull(),
    workflowId: uuid()
      .notNull()
      .references(() => workflows.id, { onDelete: 'cascade' }),
    /** The event or planned time: each starts one run. */
    cause: text().notNull(),
    startedBy: text({ enum: ['event', 'schedule', 'test'] }).notNull(),
    /** The type of its event. */
    event: text(),
    data: jsonb().$type<Record<string, unknown>>().notNull(),
    /** Those of the workflow when it began, also after a change. */
    steps: jsonb().$type<Step[]>().notNull(),
    state: text({ enum: ['waiting', 'running', 'succeeded', 'failed', 'skipped', 'cancelled'] }).notNull(),
    /** Steps that are done. */
    done: integer().notNull().default(0),
    /** Failed attempts of the step that is next. */
    attempts: integer().notNull().default(0),
    /** Counts the times that people retried it: jobs of earlier rounds do nothing. */
    round: integer().notNull().default(1),
    log: jsonb()
      .$type<StepLog[]>()
      .notNull()
      .default(sql`'[]'::jsonb`),
    /** Requests of the step that is next which began, and whose outcome isn't stored. */
    sends: integer().notNull().default(0),
    /** Why it ended without its steps, or how its data was cut. */
    note: text(),
    nextAttemptAt: time(),
    /** Until then one server works on it. */
    leasedUntil: time(),
    createdAt: time().notNull(),
    settledAt: time(),
  },
  (table) => [
    uniqueIndex('workflow_runs_cause').on(table.workflowId, table.cause),
    index('workflow_runs_workflow').on(table.workflowId, table.id),
    index('workflow_runs_day').on(table.organizationId, table.createdAt),
    index('workflow_runs_leases')
      .on(table.organizationId, table.leasedUntil)
      .where(sql`leased_until IS NOT NULL`),
    index('workflow_runs_expiry').on(table.createdAt),
    index('workflow_runs_people').using('gin', sql`${table.steps} jsonb_path_ops`),
    check(
      'workflow_runs_state',
      sql`${table.state} IN ('waiting', 'running', 'succeeded', 'failed', 'skipped', 'cancelled')`,
    ),
    check('workflow_runs_started_by', sql`${table.startedBy} IN ('event', 'schedule', 'test')`),
    check('workflow_runs_settled', sql`(${table.settledAt} IS NULL) = (${table.state} IN ('waiting', 'running'))`),
    check('workflow_runs_sends', sql`${table.sends} >= 0`),
    check('workflow_runs_done', sql`${table.done} BETWEEN 0 AND jsonb_array_length(${table.steps})`),
  ],
)
