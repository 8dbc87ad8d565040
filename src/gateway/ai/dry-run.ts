import { reply, type Reply } from '#lib/reply.ts'
import { planExchange } from './exchange.ts'
import { dryRun } from './reserve.ts'
import type { AiCall, Inquiry } from './types.ts'

/** With `?dryRun=true`: whether the call would be allowed, without making it; else null. */
export async function dryRunReply(
  call: AiCall,
  inquiry: Inquiry<unknown>,
): Promise<Reply<Record<string, unknown>> | null> {
  if (call.request.url.searchParams.get('dryRun') !== 'true') return null
  const plan = await planExchange(call, inquiry)
  const { allowed, estimateNanoUsd, limits, refusal } = await dryRun(call, { ...plan, bound: inquiry.bound })
  return reply(200, {
    allowed,
    estimateNanoUsd: Number(estimateNanoUsd),
    reason: refusal?.code ?? null,
    limits: limits.map((limit) => ({
      id: limit.id,
      scope_type: limit.scopeType,
      scope_value: limit.scopeValue,
      family: limit.family,
      period: limit.period,
      mode: limit.mode,
      limitNanoUsd: Number(limit.limitNanoUsd),
      spentNanoUsd: Number(limit.spentNanoUsd),
      reservedNanoUsd: Number(limit.reservedNanoUsd),
      remainingNanoUsd: Number(limit.remainingNanoUsd),
      resetsAt: limit.resetsAt?.toISOString() ?? null,
    })),
  })
}
