import { desc, inArray } from 'drizzle-orm'
import type { z } from 'zod'
import type { Database } from '#lib/db.ts'
import { workflowRuns } from '../schema.ts'
import type { Workflow } from './contract.ts'
import type { WorkflowRow } from './store.ts'

type Described = z.input<typeof Workflow>

export async function describeWorkflows(db: Database, rows: readonly WorkflowRow[]): Promise<Described[]> {
  const ids = rows.map(({ id }) => id)
  const { id, workflowId, state, createdAt } = workflowRuns
  const latest =
    ids.length === 0
      ? []
      : await db
          .selectDistinctOn([workflowId], { id, workflowId, state, createdAt })
          .from(workflowRuns)
          .where(inArray(workflowId, ids))
          .orderBy(workflowId, desc(id))
  return rows.map((row) => describe(row, latest.find((run) => run.workflowId === row.id) ?? null))
}

export async function describeWorkflow(db: Database, row: WorkflowRow): Promise<Described> {
  const [described] = await describeWorkflows(db, [row])
  return described ?? describe(row, null)
}

export const describe = (row: WorkflowRow, lastRun: Described['lastRun']): Described => ({ ...row, lastRun })
