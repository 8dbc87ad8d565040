import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { jsonFault } from '#lib/request/json-fault.ts'
import { Timestamp } from '#lib/time.ts'
import { ActionDefinition } from '../../registry/actions/contract.ts'

/** A form sends the schema as text. Errors in it are reported with their line. */
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

/** `approvedVersion` is an older one while the newest is a draft. */
export const AppAction = ActionDefinition.extend({
  // Not checked again: earlier releases accepted longer schemas.
  inputSchema: z
    .record(z.string(), z.unknown())
    .describe('JSON Schema (2020-12) of path, query and body as one object.'),
  id: Id,
  version: z.int(),
  status: z.enum(['draft', 'approved']),
  approvedVersion: z
    .int()
    .nullable()
    .describe('The version that is published with the app; null when none is approved.'),
  createdAt: Timestamp,
  approvedAt: Timestamp.nullable(),
})
export type AppAction = z.output<typeof AppAction>

export const AppActionSummary = AppAction.omit({ inputSchema: true })
export type AppActionSummary = z.output<typeof AppActionSummary>
export type AppActionSummaryRow = z.input<typeof AppActionSummary>
export type AppActionRow = z.input<typeof AppAction>
