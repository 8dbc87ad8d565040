import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { jsonFault } from '#lib/json-fault.ts'
import { Timestamp } from '#lib/time.ts'
import { ActionDefinition } from '../actions/contract.ts'

/** A form sends the schema as a text, whose fault is told with its line. */
const InputSchema = z.preprocess((value, context) => {
  if (typeof value !== 'string') return value
  const message = jsonFault(value)
  if (message === null) return JSON.parse(value)
  context.addIssue({ code: 'custom', message, input: value })
  return z.NEVER
}, ActionDefinition.shape.inputSchema)

const fields = { ...ActionDefinition.shape, inputSchema: InputSchema }

export const AppActionDraft = z.object({ id: Id, ...fields })
export type AppActionDraft = z.output<typeof AppActionDraft>

export const AppActionEdit = z
  .object({ id: Id, actionId: Id, ...fields })
  .omit({ name: true })
  .partial()
  .required({ id: true, actionId: true })
export type AppActionEdit = z.output<typeof AppActionEdit>

export const OneAction = z.object({ id: Id, actionId: Id })

/** What an app lets machines do: the newest version of each name, and the one that was approved before it. */
export const AppAction = ActionDefinition.extend({
  id: Id,
  version: z.int(),
  status: z.enum(['draft', 'approved']),
  approvedVersion: z.int().nullable().describe('The version that a publication takes; null while none was approved.'),
  createdAt: Timestamp,
  approvedAt: Timestamp.nullable(),
})
export type AppAction = z.output<typeof AppAction>
export type AppActionRow = z.input<typeof AppAction>
