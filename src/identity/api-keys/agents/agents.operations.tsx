import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { listOf, paging } from '#lib/paginate.ts'
import { reply } from '#lib/reply.ts'
import { MemberRows, membersPerPage } from '#views/identity/organizations/members/members.tsx'
import { listMembers } from '../../organizations/members/members.operations.tsx'
import * as agents from './agents.ts'
import { Agent, AgentDraft, OneAgent } from './contract.ts'

const back = { next: '/settings/members' }

export const listAgents = operation({
  route: 'GET /api/organizations/:id/agents',
  summary: 'List agents',
  permission: 'role:viewer',
  input: z.object({ id: Id, ...paging }),
  output: listOf(Agent),
  run: (call) => agents.listAgents(call, call.input),
})

export const createAgent = operation({
  route: 'POST /api/organizations/:id/agents',
  summary: 'Create an agent',
  permission: 'role:admin',
  input: AgentDraft,
  output: Agent,
  creates: true,
  problems: { entitlement_exceeded: 402 },
  example: { name: 'Release bot', role: 'editor' },
  run: async (call) => {
    const agent = await agents.createAgent(call, call.input)
    return reply(201, agent, { ...back, toast: `${agent.name} created. Create an API key for it next.` })
  },
  view: async (_, { ask, actor, input: { id } }) => {
    const { items, nextCursor } = await ask(listMembers, { id, limit: membersPerPage })
    return <MemberRows organizationId={id} me={actor.principal.id} members={items} nextCursor={nextCursor} />
  },
})

export const getAgent = operation({
  route: 'GET /api/organizations/:id/agents/:agentId',
  summary: 'Get an agent',
  permission: 'role:viewer',
  input: OneAgent,
  output: Agent,
  run: (call) => agents.findAgent(call, call.input.id, call.input.agentId),
})

export const deleteAgent = operation({
  route: 'DELETE /api/organizations/:id/agents/:agentId',
  summary: 'Delete an agent and revoke its API keys',
  permission: 'role:admin',
  input: OneAgent,
  output: z.null(),
  run: async (call) => {
    await agents.deleteAgent(call, call.input.id, call.input.agentId)
    return reply(204, null, { ...back, toast: 'Agent deleted' })
  },
})
