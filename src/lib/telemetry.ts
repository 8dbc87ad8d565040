import { requireNoTransaction } from './outside-calls.ts'
import type { Span, SpanOptions, Tracing } from './telemetry/tracing.ts'

let tracing: Tracing | null = null
const silentSpan: Span = { rename: () => {}, setAttributes: () => {}, endAfter: (work) => void work.catch(() => {}) }

export const withSpan = <Result>(options: SpanOptions, run: (span: Span) => Promise<Result>): Promise<Result> =>
  tracing ? tracing.span(options, run) : run(silentSpan)

/** A span without a duration, for an event that was not measured here. */
export const traceEvent = (options: () => SpanOptions): void =>
  void tracing?.span(options(), async () => {}).catch(() => {})

export const traceHeaders = (): Record<string, string> => tracing?.headers() ?? {}

export const traceId = (): string | undefined => tracing?.traceId()

/** `fetch` as a span that the other server can continue: for our own servers. */
export function tracedFetch(url: string | URL, init: RequestInit = {}): Promise<Response> {
  requireNoTransaction('Another server')
  const facts = { 'server.address': new URL(url).host }
  return withSpan({ name: init.method ?? 'GET', kind: 'client', facts }, () => {
    const headers = new Headers(init.headers)
    for (const [name, value] of Object.entries(traceHeaders())) headers.set(name, value)
    return fetch(url, { ...init, headers })
  })
}

interface TracingOptions {
  endpoint: string
  version: string
  reportError: (message: string) => void
}

/** Starts to record and send spans. Returns a function that sends the remaining spans and stops. */
export async function startTracing(options: TracingOptions): Promise<() => Promise<void>> {
  const { openTelemetry } = await import('./telemetry/open-telemetry.ts')
  const own = openTelemetry(options)
  tracing = own
  return async () => {
    tracing = null
    await own.close()
  }
}
