import { reply, type Reply } from '#lib/reply.ts'
import { answerDryRun } from '../budgets/dry-run.ts'
import { planExchange } from './exchange.ts'
import { dryRun, findCheaper } from './reserve.ts'
import type { AiCall, Inquiry } from './types.ts'

/**
 * With `?dryRun=true`: whether the call would be allowed, without making it; else null. @throws {Problem} 402, the same
 * as for the call itself
 */
export async function dryRunReply(
  call: AiCall,
  inquiry: Inquiry<unknown>,
): Promise<Reply<Record<string, unknown>> | null> {
  const { url } = call.request
  if (url.search === '' || url.searchParams.get('dryRun') !== 'true') return null
  const planned = { ...(await planExchange(call, inquiry)), bound: inquiry.bound, requestId: call.request.id }
  const result = await dryRun(call, planned)
  const cheaperModel = result.refusal && (await findCheaper(call, planned))
  const { limits, estimateNanoUsd, ...answer } = answerDryRun(result, {
    cheaperModel,
    seesShared: call.actor.isSuperAdmin,
  })
  return reply(200, { ...answer, estimateNanoUsd: Number(estimateNanoUsd), limits: limits.map(withNumbers) })
}

const withNumbers = (fields: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, typeof value === 'bigint' ? Number(value) : value]),
  )
