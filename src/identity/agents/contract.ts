import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { Timestamp } from '#lib/time.ts'
import { name, Role } from '../contract/fields.ts'

/** What an agent can be: an organization's owners are people. */
const AgentRole = Role.exclude(['owner'], 'Must be viewer, reviewer, editor or admin: owners are people.')

/** A program that is a member of its organization, without a sign-in: it works by keys (IDN-47). */
export const Agent = z.object({
  id: Id,
  name: z.string(),
  principalType: z.literal('agent'),
  role: Role,
  joinedAt: Timestamp,
})
export type Agent = z.output<typeof Agent>

export const AgentDraft = z.object({ id: Id, name: name('The agent’s name'), role: AgentRole })
export type AgentDraft = z.output<typeof AgentDraft>

export const OneAgent = z.object({ id: Id, agentId: Id })
