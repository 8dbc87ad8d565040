import { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { organizationOf } from '#lib/authorize.ts'
import { invalid, notFound } from '#lib/errors.ts'
import { Id, newId } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { Family } from '../contract/families.ts'
import { BudgetCheck } from '../contract/limits.ts'
import { answerDryRun } from './dry-run.ts'
import { Amount, Name } from './input.ts'

const Preflight = z.object({
  organizationId: Id.optional().describe('Required for services; otherwise the organization of the caller.'),
  applicationId: Name.nullable().default(null),
  family: Family,
  provider: Name,
  model: Name.nullable().default(null),
  costNanoUsd: Amount.describe('What the request will cost at most.'),
})

export const checkBudgets = operation({
  route: 'POST /platform/usage/preflight',
  summary: 'Check budgets before a request',
  permission: 'usage:write',
  services: true,
  input: Preflight,
  output: BudgetCheck,
  audit: false,
  limit: 'ingestion',
  problems: { budget_exceeded: 402, not_found: 404 },
  run: async ({ actor, input, budgets, identity }) => {
    const { applicationId, family, provider, model, costNanoUsd } = input
    const organizationId = organizationFor(actor, input.organizationId)
    if (actor.tokenType === 'service' && !(await identity.organizationState(organizationId)).exists)
      throw notFound('organization')
    const dryRun = await budgets.dryRun({
      applicationId,
      family,
      provider,
      model,
      organizationId,
      apiKeyId: actor.tokenType === 'api_key' ? actor.credential.id : null,
      userId: null,
      paidBy: actor.tokenType === 'service' ? 'platform' : 'organization',
      requestId: newId(),
      maxNanoUsd: costNanoUsd,
      minNanoUsd: costNanoUsd,
      priced: true,
    })
    return answerDryRun(dryRun, { seesShared: actor.isSuperAdmin })
  },
})

/** @throws {Problem} 422 for a service without one, 404 for another organization than the caller’s */
function organizationFor(actor: Actor, given: string | undefined): string {
  if (actor.tokenType === 'service') {
    if (given === undefined) throw invalid([{ path: 'organizationId', message: 'Required for services.' }])
    return given.toLowerCase()
  }
  const own = organizationOf(actor, 'usage:write')
  if (given === undefined || given.toLowerCase() === own) return own
  throw notFound('organization')
}
