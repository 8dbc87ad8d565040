import { z } from 'zod'
import type { Provided } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { Id } from '#lib/ids.ts'

export const workflowChanged = { event: 'dashboard.workflow', payload: z.object({ workflowId: Id }) }

/** On the transaction: the workflow or one of its runs changed. */
export const publishWorkflow = (
  { events }: Pick<Provided, 'events'>,
  tx: Database,
  workflowId: string,
): Promise<void> => events.publish(tx, workflowChanged.event, { workflowId })
