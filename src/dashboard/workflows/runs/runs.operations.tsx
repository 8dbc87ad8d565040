import { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { auditedTransaction, recordChange } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import { invalid, nullIfHidden, Problem } from '#lib/errors.ts'
import { Id, newId } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { parameterOfPage } from '#lib/page.ts'
import { reply } from '#lib/reply.ts'
import { OpenedRun } from '#views/dashboard/workflows/opened-run.tsx'
import { Runs } from '#views/dashboard/workflows/runs.tsx'
import { canWrite, checkWorkflow, requireReadable, wholeOrganizationOf } from '../check.ts'
import { RunQuery, TestRun, WorkflowRun, WorkflowRunDetail, WorkflowRunList } from '../contract.ts'
import { exampleData } from '../triggers/event-fields.ts'
import { examplesFor } from '../preview.ts'
import { findWorkflow, type WorkflowRow } from '../store.ts'
import { cancelRun, describeRun, describeRunDetail, findRun, listRuns, retryRun } from './list.ts'
import { countRecent, maxRunsPerDay, maxRunsPerMinute, startRun } from './start.ts'

const one = z.object({ id: Id, runId: Id })
const limited = { whole_organization_needed: 403 } as const
const placeOf = (id: string, runId: string): string => `/settings/workflows/${id}?run=${runId}`

export const getWorkflowRun = operation({
  route: 'GET /api/workflows/:id/runs/:runId',
  summary: 'Get a run of a workflow',
  permission: 'workflows:read',
  machine: true,
  input: one,
  output: WorkflowRunDetail,
  problems: limited,
  run: async (call) => {
    const organizationId = wholeOrganizationOf(call.actor, 'workflows:read')
    const run = await findRun(call.db, { organizationId, ...call.input })
    await requireReadable(call, run.event)
    return describeRunDetail(run, await canWrite(call))
  },
  view: (run) => <OpenedRun run={run} />,
})

export const listWorkflowRuns = operation({
  route: 'GET /api/workflows/:id/runs',
  summary: 'List the runs of a workflow',
  permission: 'workflows:read',
  machine: true,
  input: RunQuery,
  output: WorkflowRunList,
  problems: limited,
  run: async ({ db, actor, input }) => {
    await findWorkflow(db, wholeOrganizationOf(actor, 'workflows:read'), input.id)
    const { items, nextCursor } = await listRuns(db, input)
    return { items: items.map(describeRun), nextCursor }
  },
  view: async (list, call) => {
    const { id, ...query } = call.input
    const runId = Id.safeParse(parameterOfPage(call, 'run')).data
    const opened = runId ? await call.ask(getWorkflowRun, { id, runId }).catch(nullIfHidden) : null
    return <Runs workflowId={id} list={list} query={query} opened={opened} />
  },
})

/** @throws {Problem} 422 for data that the event doesn't have */
function dataOf(call: Call<z.output<typeof TestRun>, Actor>, workflow: WorkflowRow): Record<string, unknown> {
  const { data: given = {} } = call.input
  const examples = examplesFor(call, workflow)
  const unknown = Object.keys(given).filter((field) => !examples.has(field))
  if (unknown.length === 0) return exampleData(examples, given)
  const message = `Must be one of: ${[...examples.keys()].join(', ')}.`
  throw invalid(unknown.map((field) => ({ path: `data.${field}`, message })))
}

const tooMany = (limit: string): Problem =>
  new Problem(429, 'run_limit_reached', `An organization can run workflows ${limit}`)

export const testWorkflow = operation({
  route: 'POST /api/workflows/:id/run',
  summary: 'Start a test run of a workflow',
  permission: 'workflows:write',
  machine: true,
  creates: true,
  input: TestRun,
  output: WorkflowRun,
  transaction: false,
  problems: { ...limited, run_limit_reached: 429 },
  example: {},
  run: async (call) => {
    const { id } = call.input
    const workflow = await findWorkflow(call.db, wholeOrganizationOf(call.actor, 'workflows:write'), id)
    await checkWorkflow(call, workflow, workflow)
    const data = dataOf(call, workflow)
    const run = await auditedTransaction(call, async (tx) => {
      if ((await countRecent(tx, workflow.organizationId, call.now())) >= maxRunsPerMinute)
        throw tooMany(`${maxRunsPerMinute} times a minute. Try again in a minute.`)
      const start = { startedBy: 'test' as const, cause: `test:${newId()}`, event: null, data }
      const started = await startRun(tx, call, workflow, start)
      if (started) recordChange(tx, { object: 'workflow_run', id: started.id, after: { startedBy: 'test' } })
      return started
    })
    if (!run) throw tooMany(`${maxRunsPerDay.toLocaleString('en')} times a day. Try again after midnight UTC.`)
    return reply(201, describeRun(run), { next: placeOf(id, run.id), toast: 'Test run started' })
  },
})

export const retryWorkflowRun = operation({
  route: 'POST /api/workflows/:id/runs/:runId/retry',
  summary: 'Retry a workflow run',
  permission: 'workflows:write',
  machine: true,
  input: one,
  output: WorkflowRun,
  transaction: false,
  problems: { ...limited, run_not_failed: 409 },
  run: async (call) => {
    const { id, runId } = call.input
    const key = { organizationId: wholeOrganizationOf(call.actor, 'workflows:write'), id, runId }
    await requireReadable(call, (await findRun(call.db, key)).event)
    const run = await auditedTransaction(call, (db) => retryRun({ ...call, db }, key))
    return reply(200, describeRun(run), { next: placeOf(id, runId), toast: 'Run started again' })
  },
})

export const cancelWorkflowRun = operation({
  route: 'POST /api/workflows/:id/runs/:runId/cancel',
  summary: 'Cancel a waiting workflow run',
  permission: 'workflows:write',
  machine: true,
  input: one,
  output: WorkflowRun,
  problems: { ...limited, run_not_waiting: 409 },
  run: async (call) => {
    const { id, runId } = call.input
    const key = { organizationId: wholeOrganizationOf(call.actor, 'workflows:write'), id, runId }
    return reply(200, describeRun(await cancelRun(call, key)), { next: placeOf(id, runId), toast: 'Run canceled' })
  },
})
