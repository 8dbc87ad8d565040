import { z } from 'zod'
import { nullIfHidden } from '#lib/errors.ts'
import { Id } from '#lib/ids.ts'
import { page } from '#lib/page.ts'
import { Cursor } from '#lib/paginate.ts'
import { ignoreInvalid } from '#lib/text.ts'
import { DeletedWorkflow, WorkflowPage, type WorkflowProps } from '#views/dashboard/workflows/workflow.tsx'
import { WorkflowsPage, type WorkflowsProps } from '#views/dashboard/workflows/workflow-list.tsx'
import { WorkflowRun } from './contract.ts'
import { getWorkflowRun, listWorkflowRuns } from './runs/runs.operations.tsx'
import { listWorkflowTemplates } from './templates/templates.operations.tsx'
import { getWorkflow, listWorkflowEvents, listWorkflowPeople, listWorkflows } from './workflows.operations.tsx'

/** The most that an organization can have. */
const maxWorkflows = 50
const pageSize = 20

export const workflowsPage = page({
  path: '/settings/workflows',
  permission: 'workflows:read',
  frame: 'settings',
  header: 'own',
  icon: 'list-tree',
  screen: 'keys workflows',
  title: 'Workflows',
  summary: 'Automations that run on an event or a schedule.',
  keywords: 'automation trigger schedule cron steps',
  query: z.object({}),
  load: async (call): Promise<WorkflowsProps> => {
    const [list, events, templates] = await Promise.all([
      call.ask(listWorkflows, { limit: maxWorkflows }),
      call.ask(listWorkflowEvents, {}),
      call.ask(listWorkflowTemplates, {}),
    ])
    return { list, events: events.items, templates: templates.items }
  },
  view: (props) => <WorkflowsPage {...props} />,
})

export const workflowPage = page({
  path: '/settings/workflows/:id',
  permission: 'workflows:read',
  frame: 'settings',
  header: 'own',
  screen: 'keys workflows',
  title: ({ workflow }: WorkflowProps) => workflow.name,
  query: z.object({
    id: Id,
    run: ignoreInvalid(Id),
    state: ignoreInvalid(WorkflowRun.shape.state),
    cursor: Cursor,
  }),
  load: async (call): Promise<WorkflowProps> => {
    const { id, run: runId, ...part } = call.input
    const query = { ...part, limit: pageSize }
    const [workflow, runs, events, people, opened] = await Promise.all([
      call.ask(getWorkflow, { id }),
      call.ask(listWorkflowRuns, { id, ...query }),
      call.ask(listWorkflowEvents, {}),
      call.ask(listWorkflowPeople, {}),
      runId ? call.ask(getWorkflowRun, { id, runId }).catch(nullIfHidden) : null,
    ])
    const { url } = call.request
    return {
      workflow,
      events: events.items,
      people: people.items,
      runs,
      query,
      opened,
      address: url.pathname + url.search,
    }
  },
  view: (props) => <WorkflowPage {...props} />,
  gone: () => <DeletedWorkflow />,
})
