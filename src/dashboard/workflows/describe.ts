import { desc, inArray } from 'drizzle-orm'
import type { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { workflowRuns } from '../schema.ts'
import { canWrite } from './check.ts'
import type { Workflow } from './contract.ts'
import type { WorkflowRow } from './store.ts'

type Described = z.input<typeof Workflow>
type DescribeCall = Pick<Call<unknown, Actor>, 'db' | 'actor' | 'identity'>

export async function describeWorkflows(call: DescribeCall, rows: readonly WorkflowRow[]): Promise<Described[]> {
  const ids = rows.map(({ id }) => id)
  const { id, workflowId, state, createdAt } = workflowRuns
  const latest =
    ids.length === 0
      ? []
      : await call.db
          .selectDistinctOn([workflowId], { id, workflowId, state, createdAt })
          .from(workflowRuns)
          .where(inArray(workflowId, ids))
          .orderBy(workflowId, desc(id))
  const can = { change: await canWrite(call) }
  return rows.map((row) => ({ ...row, lastRun: latest.find((run) => run.workflowId === row.id) ?? null, can }))
}

export async function describeWorkflow(call: DescribeCall, row: WorkflowRow): Promise<Described> {
  const [described] = await describeWorkflows(call, [row])
  if (!described) throw new Error('The workflow was not described')
  return described
}

/** One without runs, for who created it. */
export const describeNew = (row: WorkflowRow): Described => ({ ...row, lastRun: null, can: { change: true } })
