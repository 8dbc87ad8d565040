import { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { auditedTransaction } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { readableEvents } from '#lib/outgoing-webhooks/permissions.ts'
import { listOf, paging } from '#lib/paginate.ts'
import { expectedVersions } from '#lib/request/if-match.ts'
import { reply, type Reply, type ReplyOptions } from '#lib/reply.ts'
import { EventField, Workflows } from '#views/dashboard/workflows/workflow-list.tsx'
import { WorkflowSecret } from '#views/dashboard/workflows/workflow-secret.tsx'
import { WorkflowSettings } from '#views/dashboard/workflows/workflow-settings.tsx'
import { canWrite, checkWorkflow, wholeOrganizationOf } from './check.ts'
import { NewWorkflow, Workflow, WorkflowChange, WorkflowDraft, WorkflowEvent, WorkflowList } from './contract.ts'
import { describeNew, describeWorkflow, describeWorkflows } from './describe.ts'
import { fieldsOf } from './event-fields.ts'
import { publishWorkflow } from './publish.ts'
import * as store from './store.ts'

const one = z.object({ id: Id })
const place = '/settings/workflows'
const placeOf = (id: string): string => `${place}/${id}`

const limited = { whole_organization_needed: 403 } as const

/** With its version as ETag, for `If-Match`. */
const versioned = <Value extends { version: number }>(workflow: Value, options: ReplyOptions = {}): Reply<Value> =>
  reply(200, workflow, { ...options, headers: { ETag: `"${workflow.version}"` } })

const showSettings = (workflow: Workflow) => <WorkflowSettings workflow={workflow} />
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
    return reply(201, { ...describeNew(created), secret: created.secret }, { next: placeOf(created.id) })
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
    return versioned(await describeWorkflow(call, row), { next: placeOf(id), leavesPage, toast: 'Saved' })
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
  await checkWorkflow(call, { trigger: trigger ?? before.trigger, steps: steps ?? before.steps })
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
  problems: limited,
  run: async (call) => {
    const row = await store.rotateWorkflowSecret(call, call.input.id)
    return reply(201, { ...(await describeWorkflow(call, row)), secret: row.secret })
  },
  view: showSecret,
})
