import { and, eq } from 'drizzle-orm'
import { z } from 'zod'
import type { TakeEvent } from '#lib/event-subscriptions/hand-over.ts'
import { workflows } from '../../schema.ts'
import type { Trigger } from '../triggers/contract.ts'
import type { EventData } from '../triggers/event-fields.ts'
import { matches } from '../triggers/matches.ts'
import { isRaisedByWorkflow } from '../notification-kinds.ts'
import { startRun } from './start.ts'

const Data = z.record(z.string(), z.unknown())

export const takeEvent: TakeEvent = async (work, { subscriptionId, organizationId, messageId, type, data: given }) => {
  const data = Data.parse(given)
  if (isRaisedByWorkflow(data['kind'])) return
  await work.database.transaction(async (tx) => {
    const own = and(eq(workflows.id, subscriptionId), eq(workflows.organizationId, organizationId))
    const [workflow] = await tx.select().from(workflows).where(own)
    if (workflow?.state !== 'enabled' || !isTriggered(workflow.trigger, type, data)) return
    await startRun(tx, work, workflow, { startedBy: 'event', cause: `event:${messageId}`, event: type, data })
  })
}

const isTriggered = (trigger: Trigger, type: string, data: EventData): boolean =>
  trigger.type === 'event' && trigger.event === type && matches(data, trigger.filter)
