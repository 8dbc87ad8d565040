import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { topic } from '#lib/topic.ts'
import { wholeOrganizationOf } from './check.ts'
import { workflowChanged } from './publish.ts'
import { findWorkflow } from './store.ts'

/** `workflow:<id>`: the workflow or one of its runs changed. */
export const workflowTopic = topic({
  name: 'workflow',
  permission: 'workflows:read',
  ...workflowChanged,
  idOf: ({ workflowId }) => workflowId,
  authorize: async ({ db, actor, input }: Call<string, Actor>) => {
    await findWorkflow(db, wholeOrganizationOf(actor, 'workflows:read'), input)
  },
})
