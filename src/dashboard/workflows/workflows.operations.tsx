import { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { auditedTransaction } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import { invalid } from '#lib/errors.ts'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { readableEvents } from '#lib/outgoing-webhooks/permissions.ts'
import { listOf, paging } from '#lib/paginate.ts'
import { plainText } from '#lib/text.ts'
import { expectedVersions } from '#lib/request/if-match.ts'
import { reply, type Reply, type ReplyOptions } from '#lib/reply.ts'
import { EventField, FilterFields } from '#views/dashboard/workflows/trigger-fields.tsx'
import { Workflows } from '#views/dashboard/workflows/workflow-list.tsx'
import { NextRuns } from '#views/dashboard/workflows/next-runs.tsx'
import { Preview } from '#views/dashboard/workflows/preview.tsx'
import { WorkflowSecret } from '#views/dashboard/workflows/workflow-secret.tsx'
import { WorkflowSettings } from '#views/dashboard/workflows/workflow-settings.tsx'
import { canWrite, checkWorkflow, wholeOrganizationOf } from './check.ts'
import {
  NewWorkflow,
  Workflow,
  WorkflowChange,
  WorkflowDraft,
  WorkflowEvent,
  WorkflowList,
  WorkflowPerson,
  WorkflowPreview,
} from './contract.ts'
import { describeWorkflow, describeWorkflows } from './describe.ts'
import { callsWebhook, hideUrls } from './hide-url.ts'
import { previewWorkflow } from './preview.ts'
import { ScheduleInput, SchedulePreview } from './triggers/contract.ts'
import { fieldsOf } from './triggers/event-fields.ts'
import { wordsOf } from './triggers/plain-schedule.ts'
import { nextRuns, scheduleProblem } from './triggers/schedule.ts'
import { publishWorkflow } from './publish.ts'
import * as store from './store.ts'

const one = z.object({ id: Id })
const place = '/settings/workflows'
const placeOf = (id: string): string => `${place}/${id}`

/** Times of a schedule. */
const previewed = 5

const limited = { whole_organization_needed: 403 } as const

/** With its version as ETag, for `If-Match`. */
const versioned = <Value extends { version: number }>(workflow: Value, options: ReplyOptions = {}): Reply<Value> =>
  reply(200, workflow, { ...options, headers: { ETag: `"${workflow.version}"` } })

/** With what its dialogs offer. */
const showSettings = async (workflow: Workflow, call: Pick<Call, 'ask'>) => {
  const [events, people] = workflow.can.change
    ? await Promise.all([call.ask(listWorkflowEvents, {}), call.ask(listWorkflowPeople, {})])
    : [{ items: [] }, { items: [] }]
  return <WorkflowSettings workflow={workflow} events={events.items} people={people.items} />
}

const showSecret = ({ id, secret }: z.output<typeof NewWorkflow>) => (
  <WorkflowSecret secret={secret} done={placeOf(id)} />
)

export const listWorkflows = operation({
  route: 'GET /api/workflows',
  summary: 'List workflows',
  permission: 'workflows:read',
  machine: true,
  input: z.object(paging),
  output: WorkflowList,
  problems: limited,
  run: async (call) => {
    const { items, nextCursor } = await store.listWorkflowRows(call, call.input)
    return { items: await describeWorkflows(call, items), nextCursor, can: { create: await canWrite(call) } }
  },
  view: (list) => <Workflows list={list} />,
})

export const listWorkflowEvents = operation({
  route: 'GET /api/workflows/events',
  summary: 'List events that can start workflows',
  permission: 'workflows:read',
  machine: true,
  input: z.object({}),
  output: listOf(WorkflowEvent),
  run: async (call) => {
    const readable = call.actor.bindings.length > 0 ? [] : await readableEvents(call, call.webhookEvents)
    const items = call.webhookEvents.map((event) => {
      const { data: _, ...described } = event
      return { ...described, fields: [...fieldsOf(event)], can: { use: readable.includes(event) } }
    })
    return { items, nextCursor: null }
  },
  view: ({ items }) => <EventField events={items} />,
})

export const getWorkflowEvent = operation({
  route: 'GET /api/workflows/event',
  summary: 'Get an event that can start workflows',
  permission: 'workflows:read',
  machine: true,
  input: z.object({ trigger: z.object({ event: plainText(100) }) }),
  output: WorkflowEvent,
  run: async (call) => {
    const { items } = await call.ask(listWorkflowEvents, {})
    const event = items.find(({ type }) => type === call.input.trigger.event)
    if (!event)
      throw invalid([{ path: 'trigger.event', message: 'Unknown event. GET /api/workflows/events lists all events.' }])
    return event
  },
  view: (event) => <FilterFields fields={event.fields} />,
})

export const getWorkflow = operation({
  route: 'GET /api/workflows/:id',
  summary: 'Get a workflow',
  permission: 'workflows:read',
  machine: true,
  input: one,
  output: Workflow,
  problems: limited,
  run: async (call) => {
    const organizationId = wholeOrganizationOf(call.actor, 'workflows:read')
    const row = await store.findWorkflow(call.db, organizationId, call.input.id)
    return versioned(await describeWorkflow(call, row))
  },
  view: showSettings,
})

export const listWorkflowPeople = operation({
  route: 'GET /api/workflows/people',
  summary: 'List members that workflows can notify',
  permission: 'workflows:read',
  machine: true,
  input: z.object({}),
  output: listOf(WorkflowPerson).describe('At most 100, the oldest accounts first.'),
  problems: limited,
  run: async ({ identity, actor }) => {
    const organizationId = wholeOrganizationOf(actor, 'workflows:read')
    const holders = await identity.permissionHolders(organizationId, 'platform-dashboard-api', 'notifications:read')
    const people = await identity.people(holders.map(({ id }) => id))
    const items = holders.flatMap(({ id }) => people.get(id) ?? [])
    return { items: items.toSorted((a, b) => a.name.localeCompare(b.name)), nextCursor: null }
  },
})

export const previewSchedule = operation({
  route: 'GET /api/workflows/schedule',
  summary: 'Preview the times of a schedule',
  permission: 'workflows:read',
  machine: true,
  input: z.object({ trigger: ScheduleInput }),
  output: SchedulePreview,
  run: async ({ input: { trigger }, now }) => {
    const { cron, timeZone } = trigger
    const problem = scheduleProblem(trigger, now())
    const runs = problem === null ? nextRuns(trigger, now(), previewed) : []
    return { cron, timeZone, words: wordsOf(cron), problem, runs }
  },
  view: (preview) => <NextRuns preview={preview} />,
})

export const previewWorkflowTexts = operation({
  route: 'GET /api/workflows/:id/preview',
  summary: 'Preview a workflow with an example event',
  permission: 'workflows:read',
  machine: true,
  input: one,
  output: WorkflowPreview,
  problems: limited,
  run: async (call) => {
    const organizationId = wholeOrganizationOf(call.actor, 'workflows:read')
    const { trigger, steps } = await store.findWorkflow(call.db, organizationId, call.input.id)
    return previewWorkflow(call, { trigger, steps: (await canWrite(call)) ? steps : hideUrls(steps) })
  },
  view: (preview) => <Preview preview={preview} />,
})

export const createWorkflow = operation({
  route: 'POST /api/workflows',
  summary: 'Create a workflow',
  permission: 'workflows:write',
  machine: true,
  creates: true,
  secrets: ['secret'],
  input: WorkflowDraft,
  output: NewWorkflow,
  transaction: false, // Permissions and members are checked with identity before the transaction opens.
  problems: { ...limited, too_many_workflows: 409 },
  example: {
    name: 'Weekly review',
    trigger: { type: 'schedule', cron: '0 9 * * 1', timeZone: 'Europe/Berlin' },
    steps: [{ type: 'action', title: 'Review last week', reason: 'It is Monday.', href: '/dashboard' }],
  },
  run: async (call) => {
    wholeOrganizationOf(call.actor, 'workflows:write')
    await checkWorkflow(call, call.input)
    const created = await auditedTransaction(call, (db) => store.createWorkflow({ ...call, db }, call.input))
    return reply(
      201,
      { ...(await describeWorkflow(call, created)), secret: created.secret },
      { next: placeOf(created.id), leavesPage: !callsWebhook(created) },
    )
  },
  view: showSecret,
})

export const updateWorkflow = operation({
  route: 'PUT /api/workflows/:id',
  summary: 'Update, pause or enable a workflow',
  permission: 'workflows:write',
  machine: true,
  ifMatch: true,
  input: WorkflowChange,
  output: Workflow,
  transaction: false,
  problems: { ...limited, version_conflict: 409 },
  example: { state: 'paused' },
  run: async (call) => {
    const { id, version, ...change } = call.input
    const expected = expectedVersions(call.request.headers) ?? (version === undefined ? null : [version])
    const organizationId = wholeOrganizationOf(call.actor, 'workflows:write')
    const seen = await store.findWorkflow(call.db, organizationId, id)
    await checkChange(call, seen, change)
    const row = await auditedTransaction(call, async (db) => {
      const before = await store.lockWorkflow(db, organizationId, id)
      // What was checked must still be so.
      const saved = await store.updateWorkflow({ ...call, db }, before, change, expected ?? [seen.version])
      await publishWorkflow(call, db, id)
      return saved
    })
    // The title of the page is its name.
    const leavesPage = seen.name !== row.name
    const { trigger, steps } = seen
    const undo =
      change.steps || change.trigger
        ? ({ method: 'PUT', href: `/api/workflows/${id}`, body: { trigger, steps, version: row.version } } as const)
        : undefined
    return versioned(await describeWorkflow(call, row), { next: placeOf(id), leavesPage, toast: 'Saved', undo })
  },
  view: showSettings,
})

/** Pausing and renaming need no permission to read the event. */
async function checkChange(
  call: Call<unknown, Actor>,
  before: store.WorkflowRow,
  { trigger, steps, state }: Omit<WorkflowChange, 'id' | 'version'>,
): Promise<void> {
  if (!trigger && !steps && state !== 'enabled') return
  await checkWorkflow(call, { trigger: trigger ?? before.trigger, steps: steps ?? before.steps }, before)
}

export const deleteWorkflow = operation({
  route: 'DELETE /api/workflows/:id',
  summary: 'Delete a workflow and its runs',
  permission: 'workflows:write',
  machine: true,
  input: one,
  output: z.null(),
  problems: limited,
  run: async (call) => {
    const { name } = await store.deleteWorkflow(call, call.input.id)
    await publishWorkflow(call, call.db, call.input.id)
    return reply(204, null, { next: place, toast: `${name} deleted` })
  },
})

export const rotateWorkflowSecret = operation({
  route: 'POST /api/workflows/:id/rotate-secret',
  summary: 'Rotate the signing secret of a workflow',
  permission: 'workflows:write',
  machine: true,
  creates: true,
  secrets: ['secret'],
  input: one,
  output: NewWorkflow,
  transaction: false, // The response asks identity.
  problems: limited,
  run: async (call) => {
    const row = await auditedTransaction(call, async (db) => {
      const rotated = await store.rotateWorkflowSecret({ ...call, db }, call.input.id)
      await publishWorkflow(call, db, rotated.id)
      return rotated
    })
    return reply(201, { ...(await describeWorkflow(call, row)), secret: row.secret })
  },
  view: showSecret,
})
