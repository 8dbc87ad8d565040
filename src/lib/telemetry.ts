import { requireNoTransaction } from './outside-calls.ts'

/** Attributes of a span: never content of users. */
type Facts = Record<string, string | number>

/** A running span. */
export interface Span {
  rename(name: string): void
  setAttributes(facts: Facts): void
  /** Ends the span when `work` does, and fails with it. */
  endAfter(work: Promise<unknown>): void
}

type SpanKind = 'server' | 'client' | 'internal'

interface SpanOptions {
  name: string
  kind?: SpanKind
  facts?: Facts
  /** The headers of the request: its `traceparent` is the parent. */
  from?: Headers
}

export interface Tracing {
  span<Result>(options: SpanOptions, run: (span: Span) => Promise<Result>): Promise<Result>
  /** Headers with which another server continues the current trace (W3C Trace Context). */
  headers(): Record<string, string>
  traceId(): string | undefined
  close(): Promise<void>
}

let tracing: Tracing | null = null
const silentSpan: Span = { rename: () => {}, setAttributes: () => {}, endAfter: (work) => void work.catch(() => {}) }

/** Runs `run`, as a span when tracing is on. */
export const withSpan = <Result>(options: SpanOptions, run: (span: Span) => Promise<Result>): Promise<Result> =>
  tracing ? tracing.span(options, run) : run(silentSpan)

/** Headers with which another server continues this trace; none without tracing. */
export const traceHeaders = (): Record<string, string> => tracing?.headers() ?? {}

/** The id of the current trace, for the log. */
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
  /** URL of an OpenTelemetry collector for OTLP over HTTP. */
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
