import { z } from 'zod'
import { auditedTransaction } from '#lib/audit.ts'
import { invalid, Problem } from '#lib/errors.ts'
import { operation } from '#lib/operation.ts'
import { reply } from '#lib/reply.ts'
import { Templates } from '#views/dashboard/workflows/templates.tsx'
import { WorkflowSecret } from '#views/dashboard/workflows/workflow-secret.tsx'
import { canWrite, checkWorkflow, wholeOrganizationOf } from '../check.ts'
import { NewWorkflow } from '../contract.ts'
import { describeWorkflow } from '../describe.ts'
import { callsWebhook } from '../hide-url.ts'
import { createWorkflow } from '../store.ts'
import { TemplateUse, WorkflowTemplateList } from './contract.ts'
import { describeTemplates, draftOf } from './use.ts'

/** The person entered the URL, not the step. */
const atUrl = (problem: unknown): unknown => {
  if (!(problem instanceof Problem)) return problem
  const errors = problem.options.errors?.filter(({ path }) => path.endsWith('.url')) ?? []
  return errors.length > 0 ? invalid(errors.slice(0, 1).map(({ message }) => ({ path: 'url', message }))) : problem
}

export const listWorkflowTemplates = operation({
  route: 'GET /api/workflow-templates',
  summary: 'List workflow templates',
  permission: 'workflows:read',
  machine: true,
  input: z.object({}),
  output: WorkflowTemplateList,
  run: async (call) => ({ items: await describeTemplates(call, await canWrite(call)), nextCursor: null }),
  view: ({ items }) => <Templates templates={items} />,
})

export const useWorkflowTemplate = operation({
  route: 'POST /api/workflow-templates/:template/workflows',
  summary: 'Create a workflow from a template',
  permission: 'workflows:write',
  machine: true,
  creates: true,
  secrets: ['secret'],
  input: TemplateUse,
  output: NewWorkflow,
  transaction: false,
  problems: { whole_organization_needed: 403, too_many_workflows: 409 },
  example: { state: 'paused', timeZone: 'Europe/Berlin' },
  run: async (call) => {
    wholeOrganizationOf(call.actor, 'workflows:write')
    const draft = draftOf(call.input)
    await checkWorkflow(call, draft).catch((problem: unknown) => {
      throw atUrl(problem)
    })
    const { state } = call.input
    const created = await auditedTransaction(call, (db) => createWorkflow({ ...call, db }, draft, state))
    const { secret } = created
    const next = `/settings/workflows/${created.id}`
    return reply(
      201,
      { ...(await describeWorkflow(call, created)), secret },
      { next, leavesPage: !callsWebhook(created) },
    )
  },
  view: ({ id, secret }) => <WorkflowSecret secret={secret} done={`/settings/workflows/${id}`} />,
})
