import { desc, eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { workflowRuns } from '../schema.ts'
import { canWrite } from './check.ts'
import type { Workflow } from './contract.ts'
import { callsWebhook, hideUrls } from './hide-url.ts'
import type { WorkflowRow } from './store.ts'
import { plainOf, wordsOf } from './triggers/plain-schedule.ts'
import { nextRuns } from './triggers/schedule.ts'

type Described = z.input<typeof Workflow>
type DescribeCall = Pick<Call<unknown, Actor>, 'db' | 'actor' | 'identity' | 'now' | 'webhookEvents'>

export async function describeWorkflows(call: DescribeCall, rows: readonly WorkflowRow[]): Promise<Described[]> {
  const ids = rows.map(({ id }) => id)
  const latest = await Promise.all(ids.map((id) => findLastRun(call.db, id)))
  const can = { change: await canWrite(call) }
  const creators = await creatorsOf(call, rows)
  return rows.map((row) => ({
    ...row,
    eventSummary: summaryOf(call, row),
    signsRequests: callsWebhook(row),
    steps: can.change ? row.steps : hideUrls(row.steps),
    schedule: scheduleOf(row),
    nextRuns: plannedRuns(row, call.now()),
    lastRun: latest.find((run) => run?.workflowId === row.id) ?? null,
    createdBy: creators.get(row.createdBy ?? '') ?? null,
    can,
  }))
}

/** One read of an index each: `DISTINCT ON` would read all runs of all of them. */
async function findLastRun(db: DescribeCall['db'], ofWorkflow: string) {
  const { id, workflowId, state, createdAt } = workflowRuns
  const [run] = await db
    .select({ id, workflowId, state, createdAt })
    .from(workflowRuns)
    .where(eq(workflowId, ofWorkflow))
    .orderBy(desc(id))
    .limit(1)
  return run ?? null
}

/** Null too for an event of a service that doesn't run here. */
const summaryOf = ({ webhookEvents }: DescribeCall, { trigger }: WorkflowRow): string | null =>
  (trigger.type === 'event' && webhookEvents.find(({ type }) => type === trigger.event)?.summary) || null

const shownRuns = 3

const scheduleOf = ({ trigger }: WorkflowRow): Described['schedule'] =>
  trigger.type === 'schedule' ? { words: wordsOf(trigger.cron), ...plainOf(trigger.cron) } : null

const plannedRuns = ({ state, trigger }: WorkflowRow, at: Date): Date[] =>
  state === 'enabled' && trigger.type === 'schedule' ? nextRuns(trigger, at, shownRuns) : []

type Creator = NonNullable<Described['createdBy']>

async function creatorsOf(
  { identity }: DescribeCall,
  rows: readonly WorkflowRow[],
): Promise<ReadonlyMap<string, Creator>> {
  const created = new Map(
    rows.flatMap(({ createdBy, organizationId }) => (createdBy === null ? [] : [[createdBy, organizationId] as const])),
  )
  const people = await identity.people([...created.keys()])
  const described = [...created].map(async ([id, organizationId]): Promise<[string, Creator]> => {
    const isMember = await identity.isMember(organizationId, id)
    return [id, { id, name: people.get(id)?.name ?? null, isMember }]
  })
  return new Map(await Promise.all(described))
}

export async function describeWorkflow(call: DescribeCall, row: WorkflowRow): Promise<Described> {
  const [described] = await describeWorkflows(call, [row])
  if (!described) throw new Error('The workflow was not described')
  return described
}
