import type { RequestContext } from '#lib/request/context.ts'
import type { Clock } from '#lib/time.ts'
import type { UsageMonitor } from './monitor.ts'

export type MonitorRequest = (context: Pick<RequestContext, 'actor' | 'route'>, seconds: number) => void

declare module '#lib/call.ts' {
  interface Provided {
    readonly monitorRequest: MonitorRequest
  }
}

/**
 * Records what organizations' API keys request from services. The gateway is left out: its calls and reports are usage
 * of their own.
 */
export const createRequestMonitor =
  (monitor: Pick<UsageMonitor, 'record'>, now: Clock): MonitorRequest =>
  ({ actor, route }, seconds) => {
    const operation = route?.operation?.[0]
    if (actor?.tokenType !== 'api_key' || !actor.organization || !operation) return
    if (route.context.slug === 'platform-gateway') return
    monitor.record({
      organizationId: actor.organization.id,
      service: route.context.slug,
      apiKeyId: actor.credential.id,
      userId: actor.principal.id,
      operation,
      occurredAt: now(),
      latencyMs: seconds * 1000,
    })
  }
