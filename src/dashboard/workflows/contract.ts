import { z } from 'zod'
import { roles } from '#lib/actor.ts'
import { Id } from '#lib/ids.ts'
import { listOf, paging } from '#lib/paginate.ts'
import { Flag, lineText, optionalField, plainText } from '#lib/text.ts'
import { Timestamp } from '#lib/time.ts'
import { Trigger, TriggerInput } from './triggers/contract.ts'
import { repeats } from './triggers/plain-schedule.ts'

export const maxSteps = 10

const words = {
  title: lineText(200).min(1, 'Enter a title.').describe('Can contain fields of the event: `{{data.provider}}`.'),
  reason: plainText(2000).trim().min(1, 'Enter a reason.').describe('The same.'),
  href: plainText(1000).trim().min(1, 'Enter a link.').default('/actions').describe('The same, in paths and queries.'),
}

const ActionStep = z.strictObject({
  type: z.literal('action'),
  ...words,
  dueInHours: optionalField(z.coerce.number().int().min(1).max(8_760)),
})
const NotifyStep = z.strictObject({
  type: z.literal('notify'),
  ...words,
  role: optionalField(z.enum(roles)).describe('Members with this role or a higher one.'),
  people: z.array(Id).max(20).default([]).describe('Members. Ignored with a role.'),
  chat: optionalField(Flag).describe(
    'With a role: whether it is also posted to the chat channel of the organization (`PUT /api/chat-webhook`).',
  ),
})
const WebhookStep = z.strictObject({
  type: z.literal('webhook'),
  url: plainText(2000)
    .trim()
    .min(1, 'Enter a URL.')
    .describe('Receives a signed `POST` request. Without `workflows.write`, only its origin is returned.'),
})

/** As stored. */
const Step = z.discriminatedUnion('type', [ActionStep, NotifyStep, WebhookStep])
export type Step = z.output<typeof Step>

/** Forms also send the members that they hide while a role is chosen. */
const SingleAudience = NotifyStep.transform((step) => ({
  ...step,
  people: step.role === undefined ? [...new Set(step.people)] : [],
}))
const StepInput = z.discriminatedUnion('type', [ActionStep, SingleAudience, WebhookStep])

const draft = {
  name: lineText(100).min(1, 'Enter a name.'),
  trigger: TriggerInput,
  steps: z.array(StepInput).min(1, 'Add a step.').max(maxSteps, `At most ${maxSteps} steps.`),
}
export const WorkflowDraft = z.object(draft)
export type WorkflowDraft = z.output<typeof WorkflowDraft>

/** What is left out stays. */
export const WorkflowChange = z.object({
  id: Id,
  name: draft.name.optional(),
  trigger: TriggerInput.optional(),
  steps: draft.steps.optional(),
  state: z.enum(['enabled', 'paused']).optional(),
  version: z.coerce
    .number()
    .int()
    .min(1)
    .optional()
    .describe('The version that you read; the same as `If-Match`. If it is no longer current, nothing is changed.'),
})
export type WorkflowChange = z.output<typeof WorkflowChange>

const RunState = z.enum(['waiting', 'running', 'succeeded', 'failed', 'skipped', 'cancelled'])

const LastRun = z.object({ id: Id, state: RunState, createdAt: Timestamp })

export const Workflow = z.object({
  id: Id,
  name: z.string(),
  state: z.enum(['enabled', 'paused']),
  trigger: Trigger,
  eventSummary: z.string().nullable().describe('The event in words; null for a schedule.'),
  steps: z.array(Step),
  signsRequests: z.boolean().describe('Whether a step sends requests, which its signing secret verifies.'),
  schedule: z
    .object({
      words: z.string().describe('Without the time zone.'),
      repeat: z.enum(repeats),
      time: z.string().optional(),
      weekday: z.int().optional(),
      day: z.union([z.int(), z.literal('last')]).optional(),
    })
    .nullable()
    .describe('How forms show the cron fields; null for an event.'),
  nextRunAt: Timestamp.nullable().describe('The next planned time of a schedule.'),
  nextRuns: z.array(Timestamp).describe('The next three of them.'),
  failures: z.int().describe('Runs that failed since the last one that succeeded. After 10 the workflow is paused.'),
  lastRun: LastRun.nullable(),
  createdBy: z
    .object({ id: Id, name: z.string().nullable(), isMember: z.boolean() })
    .nullable()
    .describe('It keeps running when they leave. Null where it isn’t known.'),
  version: z.int().describe('Increases with every change. The `ETag` for `If-Match`.'),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  can: z.object({ change: z.boolean() }),
})
export type Workflow = z.output<typeof Workflow>

export const WorkflowList = listOf(Workflow).extend({ can: z.object({ create: z.boolean() }) })
export type WorkflowList = z.output<typeof WorkflowList>

export const NewWorkflow = Workflow.extend({
  secret: z
    .string()
    .optional()
    .describe('Verifies requests of webhook steps (`whsec_…`, Standard Webhooks). Only returned here.'),
})

export const WorkflowEvent = z.object({
  type: z.string(),
  summary: z.string(),
  service: z.string(),
  permission: z.string().describe('The permission needed to use it.'),
  fields: z.array(z.string()).describe('What filters and texts can use, as `{{data.<field>}}` in texts.'),
  can: z.object({ use: z.boolean() }),
})
export type WorkflowEvent = z.output<typeof WorkflowEvent>

const StepLog = z.object({
  step: z.int().describe('Its number, from 1.'),
  type: z.enum(['action', 'notify', 'webhook']),
  attempt: z.int(),
  at: Timestamp,
  durationMs: z.int(),
  outcome: z.enum(['done', 'failed']),
  input: z.record(z.string(), z.string()).describe('What the step used, with the fields of the event filled in.'),
  status: z.int().nullable().default(null).describe('The HTTP status of the response to a webhook.'),
  result: z.string().nullable(),
  error: z.string().nullable(),
})
/** As stored: times are texts. */
export type StepLog = Omit<z.input<typeof StepLog>, 'at'> & { at: string }

export const WorkflowRun = z.object({
  id: Id,
  workflowId: Id,
  startedBy: z.enum(['event', 'schedule', 'test']),
  event: z.string().nullable(),
  state: RunState.describe('`skipped`: the organization was suspended.'),
  note: z.string().nullable().describe('Why it ended without all of its steps, or how its data was cut.'),
  done: z.int().describe('Steps that are done.'),
  steps: z.int(),
  nextAttemptAt: Timestamp.nullable(),
  createdAt: Timestamp,
  settledAt: Timestamp.nullable(),
})
export type WorkflowRun = z.output<typeof WorkflowRun>

export const WorkflowRunList = listOf(WorkflowRun)
export type WorkflowRunList = z.output<typeof WorkflowRunList>

export const WorkflowRunDetail = WorkflowRun.extend({
  data: z.record(z.string(), z.unknown()),
  log: z.array(StepLog).describe('The latest 100 attempts, oldest first.'),
  can: z.object({ retry: z.boolean(), cancel: z.boolean() }),
})
export type WorkflowRunDetail = z.output<typeof WorkflowRunDetail>

export const WorkflowPreview = z.object({
  data: z.record(z.string(), z.unknown()).describe('Of an example event.'),
  steps: z.array(
    z.object({
      type: z.enum(['action', 'notify', 'webhook']),
      input: z.record(z.string(), z.string()).describe('What the step would use.'),
    }),
  ),
})
export type WorkflowPreview = z.output<typeof WorkflowPreview>

export const WorkflowPerson = z.object({ id: Id, name: z.string() })
export type WorkflowPerson = z.output<typeof WorkflowPerson>

export const TestRun = z.object({
  id: Id,
  data: z
    .record(plainText(100), z.union([plainText(500), z.number(), z.boolean()]))
    .refine((data) => Object.keys(data).length <= 100, 'At most 100 fields.')
    .optional()
    .describe('Values of fields of the event. Those that are left out get examples.'),
})

export const RunQuery = z.object({ id: Id, state: RunState.optional(), ...paging })
export type RunQuery = z.output<typeof RunQuery>
