import { newId } from '#lib/ids.ts'
import { logFault } from '#lib/log/fault.ts'
import { OutboundError } from '#lib/outbound.ts'
import { counterOf, exhaustQuota, quotaExhausted, returnQuota, takeQuota, type Taken } from './quota.ts'
import type { VideoMethod } from './costs.ts'
import { connectionProblem, isQuotaRefusal, readRefusal, refusalProblem } from './problems.ts'
import type { VideoCall, VideoProvider } from './provider.ts'

interface Sent {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  headers?: Record<string, string>
  body?: string
}

/** Of a call without bytes of a video. */
const callMs = 30_000

/**
 * Takes the units, makes the call, and meters it. A call that fails costs the same: Google counts invalid ones, too.
 * @throws {Problem} 429 `quota_exhausted` before the call, and for a response other than 2xx
 */
export async function makeChargedCall(
  call: VideoCall,
  provider: VideoProvider,
  method: VideoMethod,
  { path, headers, ...sent }: Sent,
): Promise<Response> {
  const { db, upstreams, now } = call
  const { project, token, attribution } = provider
  const { organizationId } = attribution
  const counter = counterOf(provider, organizationId)
  const isShared = provider.level === 'platform'
  const taken = await takeQuota(db, { organizationId, project, method, counter, isShared }, now())
  const began = performance.now()
  const finish = (status: number, errorCode: string | null) =>
    meter(call, provider, { method, taken, status, errorCode, latencyMs: Math.round(performance.now() - began) })
  /** The caller learns what became of the call. */
  const noteFault = (doing: string) => (error: unknown) => logFault(call.log, doing, error, { project })
  const response = await upstreams
    .fetch(provider, path, {
      ...sent,
      headers: { ...headers, authorization: `Bearer ${token}`, accept: 'application/json' },
      signal: AbortSignal.any([call.signal, AbortSignal.timeout(callMs)]),
      keepalive: false,
      organizationId,
    })
    .catch(async (error: unknown) => {
      if (error instanceof OutboundError && !error.mayHaveArrived)
        await returnQuota(db, taken).catch(noteFault('returning the quota of a video call'))
      else await finish(0, 'provider_failed')
      throw connectionProblem(error)
    })
  if (response.ok) {
    await finish(response.status, null)
    return response
  }
  const refusal = await readRefusal(response)
  await finish(response.status, refusal.reason || 'provider_refused')
  if (!isQuotaRefusal(refusal)) throw refusalProblem(refusal)
  await exhaustQuota(db, taken, now()).catch(noteFault('noting that the quota of videos is used up'))
  throw quotaExhausted(taken, now())
}

interface Metered {
  method: VideoMethod
  taken: Taken
  /** 0 without a response. */
  status: number
  errorCode: string | null
  latencyMs: number
}

async function meter(
  { ledger, now, log }: VideoCall,
  { level, attribution: { organizationId, applicationId, apiKeyId, userId } }: VideoProvider,
  { method, taken, status, errorCode, latencyMs }: Metered,
): Promise<void> {
  const id = newId()
  const row = {
    id,
    organizationId,
    requestId: `youtube/${id}`,
    applicationId,
    apiKeyId,
    userId,
    family: 'video_quota',
    provider: 'youtube',
    model: method,
    unit: 'unit',
    quantity: taken.units,
    costNanoUsd: 0n,
    certainty: 'exact',
    paidBy: level === 'organization' ? 'organization' : 'platform',
    priceDate: taken.priceDate,
    occurredAt: now(),
    metadata: { project: taken.project, bucket: taken.bucket },
    details: { latencyMs, status, ...(errorCode !== null && { errorCode }) },
  } as const
  // The call was made, and its units are counted.
  await ledger
    .commit([row], { durable: false })
    .catch((error: unknown) => logFault(log, 'metering a video call', error))
}
