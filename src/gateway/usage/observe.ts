import type { Metrics } from '#lib/metrics.ts'
import { traceEvent } from '#lib/telemetry.ts'
import type { Inserted, UsageRow } from './insert.ts'

/** Counts committed usage for /metrics, and sends a span for each request when traces are exported (GTW-36). */
export function observeUsage(metrics: Metrics): (result: Inserted) => void {
  const requests = sumBy(metrics, 'atrium_usage_requests_total', 'Requests counted as usage, by family.')
  const cost = sumBy(metrics, 'atrium_usage_cost_nano_usd_total', 'Cost of usage in nano-USD, by family.')
  const repeated = sumBy(metrics, 'atrium_usage_duplicates_total', 'Requests that were reported again, by family.')
  const conflicts = sumBy(metrics, 'atrium_usage_conflicts_total', 'Request IDs reported with other data, by family.')
  const calls = metrics.counter('atrium_provider_calls_total', 'Calls to providers, by provider and outcome.')
  const seconds = metrics.histogram(
    'atrium_provider_call_seconds',
    'Duration of calls to providers.',
    [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
  )
  return ({ inserted, duplicates, conflicts: different }) => {
    for (const row of inserted) {
      requests(row.family, 1)
      cost(row.family, Number(row.costNanoUsd))
      const { provider, details } = row
      if (details?.status !== undefined) {
        const failed = details.status >= 400 || Boolean(details.errorCode)
        calls.add({ provider, outcome: failed ? 'error' : 'ok' })
        if (details.latencyMs !== undefined) seconds.observe({ provider }, details.latencyMs / 1000)
      }
      traceEvent(() => ({ name: `usage ${row.family}`, kind: 'internal', facts: factsOf(row) }))
    }
    for (const { family } of duplicates) repeated(family, 1)
    for (const { family } of different) conflicts(family, 1)
  }
}

function sumBy(metrics: Metrics, name: string, help: string): (family: string, amount: number) => void {
  const sums = new Map<string, number>()
  metrics.gauge(name, help, () => [...sums].map(([family, value]) => ({ labels: { family }, value })))
  return (family, amount) => void sums.set(family, (sums.get(family) ?? 0) + amount)
}

/** Names of OpenTelemetry's semantic conventions for generative AI where they have one. */
function factsOf(row: UsageRow): Record<string, string | number> {
  const { details = {} } = row
  const facts: Record<string, string | number | null | undefined> = {
    'atrium.organization.id': row.organizationId,
    'atrium.request.id': row.requestId,
    'atrium.application.id': row.applicationId,
    'atrium.usage.unit': row.unit,
    'atrium.usage.quantity': row.quantity,
    'atrium.usage.cost_nano_usd': Number(row.costNanoUsd),
    'atrium.usage.certainty': row.certainty,
    'atrium.usage.fallbacks': details.fallbacks,
    'atrium.usage.latency_ms': details.latencyMs,
    'gen_ai.provider.name': row.provider,
    'gen_ai.request.model': row.model,
    'gen_ai.usage.input_tokens': details.inputTokens,
    'gen_ai.usage.output_tokens': details.outputTokens,
    'http.response.status_code': details.status,
    'error.type': details.errorCode,
  }
  return Object.fromEntries(
    Object.entries(facts).flatMap(([name, value]) => (value === null || value === undefined ? [] : [[name, value]])),
  )
}
