import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { Timestamp } from '#lib/time.ts'
import { name, Role } from '../../contract/fields.ts'

/** Owners are people. */
const AgentRole = Role.exclude(['owner'], 'Must be viewer, reviewer, editor or admin. An agent can’t be an owner.')

/** Uses API keys and can't sign in (IDN-47). */
export const Agent = z.object({
  id: Id,
  name: z.string(),
  principalType: z.literal('agent'),
  role: Role,
  joinedAt: Timestamp,
})
export type Agent = z.output<typeof Agent>

export const AgentDraft = z.object({ id: Id, name: name('the agent’s name'), role: AgentRole })
export type AgentDraft = z.output<typeof AgentDraft>

export const OneAgent = z.object({ id: Id, agentId: Id })
