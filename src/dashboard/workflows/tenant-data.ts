import { tenantTable, type TenantData } from '#lib/tenant-data.ts'
import { workflowRuns, workflows } from '../schema.ts'
import { erasePersonOfRuns, erasePersonOfWorkflows } from './erase-person.ts'

const dayMs = 24 * 60 * 60_000

export const workflowsData: readonly TenantData[] = [
  tenantTable(workflowRuns, {
    organization: workflowRuns.organizationId,
    export: [
      ...(['id', 'organizationId', 'workflowId', 'startedBy', 'event', 'data', 'steps', 'state', 'done'] as const),
      ...(['log', 'note', 'createdAt', 'settledAt'] as const),
    ],
    erasure: { organization: 'delete', person: erasePersonOfRuns },
    retention: { after: workflowRuns.createdAt, ms: 90 * dayMs },
  }),
  tenantTable(workflows, {
    organization: workflows.organizationId,
    person: workflows.createdBy,
    export: [
      ...([
        'id',
        'organizationId',
        'name',
        'state',
        'trigger',
        'steps',
        'createdBy',
        'createdAt',
        'updatedAt',
      ] as const),
    ],
    // Others can have changed it since, and it can name members.
    organizationOnly: { fields: ['trigger', 'steps'], organization: workflows.organizationId },
    erasure: { organization: 'delete', person: erasePersonOfWorkflows },
    retention: 'owner',
  }),
]
