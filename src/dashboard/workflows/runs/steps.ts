import { eq } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import type { JobDependencies } from '#lib/job.ts'
import { attemptDelivery, problemOfStatus } from '#lib/outgoing-webhooks/attempt.ts'
import { raiseAction } from '#lib/raised-actions.ts'
import { truncate } from '#lib/text.ts'
import { workflows } from '../../schema.ts'
import { isOwn } from '../check.ts'
import type { Step } from '../contract.ts'
import type { EventData } from '../triggers/event-fields.ts'
import { workflowActionKind, workflowChatKind, workflowNoticeKind } from '../notification-kinds.ts'
import { openWorkflowSecret } from '../secret.ts'
import { fillHref, fillLine, fillText } from '../template.ts'
import type { Run } from './claim.ts'

const timeoutMs = 30_000
const hourMs = 60 * 60_000

export interface StepOutcome {
  /** Of the response to a webhook. */
  status: number | null
  result: string | null
  error: string | null
}

export type RaisingStep = Exclude<Step, { type: 'webhook' }>

const wordsOf = ({ title, reason, href }: RaisingStep, data: EventData) => ({
  title: fillLine(title, data, 200).trim() || 'Workflow',
  reason: fillText(reason, data, 2000).trim() || 'A workflow ran.',
  href: hrefOf(href, data),
})

/** Long values don't make a link that can't be stored. */
const hrefOf = (href: string, data: EventData): string => {
  const filled = fillHref(href, data)
  return filled.length <= 2000 ? filled : '/actions'
}

/** What the log shows. */
export const inputOf = (step: Step, data: EventData): Record<string, string> =>
  step.type === 'webhook' ? { url: step.url } : wordsOf(step, data)

interface Raising {
  step: RaisingStep
  at: Date
  /** Of a step that notifies single members, those who still are. */
  people: readonly string[]
}

/** On the transaction that stores that the step is done, so that it is raised once. */
export async function raise(tx: Database, run: Run, { step, at, people }: Raising): Promise<void> {
  const shared = {
    ...wordsOf(step, run.data),
    organizationId: run.organizationId,
    cause: `dashboard.workflow:${run.id}:${run.done + 1}`,
    actions: [],
  }
  if (step.type === 'action') {
    const dueAt = step.dueInHours === undefined ? null : new Date(at.getTime() + step.dueInHours * hourMs)
    return raiseAction(tx, { ...shared, kind: workflowActionKind, dueAt })
  }
  const notice = { ...shared, surface: 'notice' as const }
  if (step.role !== undefined) {
    const kind = step.chat === true ? workflowChatKind : workflowNoticeKind
    return raiseAction(tx, { ...notice, kind: { ...kind, permission: `role:${step.role}` } })
  }
  for (const personId of people)
    await raiseAction(tx, { ...notice, kind: workflowNoticeKind, personId, cause: `${shared.cause}:${personId}` })
}

interface Sending {
  step: Extract<Step, { type: 'webhook' }>
  at: Date
}

/** Outside of a transaction. The receiver ignores a `webhook-id` that it has: a killed server can send it again. */
export async function sendWebhook(
  { database, secrets, outbound, config, hosts }: JobDependencies,
  run: Run,
  { step, at }: Sending,
): Promise<StepOutcome> {
  const [workflow] = await database.db.select().from(workflows).where(eq(workflows.id, run.workflowId))
  if (!workflow) return unsent('The workflow was deleted.')
  if (isOwn({ config, hosts }, URL.parse(step.url))) return unsent('The URL is an address of Atrium.')
  const { id, startedBy, event, data, createdAt } = run
  const body = JSON.stringify({
    type: 'workflow.run',
    timestamp: createdAt.toISOString(),
    data: { workflow: { id: workflow.id, name: workflow.name }, run: { id, startedBy }, event, data },
  })
  const secret = openWorkflowSecret(secrets, workflow)
  const message = { url: step.url, id: `${id}.${run.done + 1}`, body, secrets: [secret], at, timeoutMs }
  const { status, answer, problem } = await attemptDelivery(outbound, message)
  if (status === null) return unsent(problem)
  const result = truncate(`${status} ${answer}`.trim(), 500)
  if (status >= 200 && status < 300) return { status, result, error: null }
  return { status, result, error: problemOfStatus(status) ?? `The response has the status ${status}.` }
}

const unsent = (error: string): StepOutcome => ({ status: null, result: null, error })
