import { requireNoTransaction } from './outside-calls.ts'

/** What is known of a step of the work: never what people wrote. */
type Facts = Record<string, string | number>

/** A span under way. */
export interface Span {
  /** Its name, once it is known better. */
  name(name: string): void
  tell(facts: Facts): void
  /** It ends when `work` does, and fails with it. */
  until(work: Promise<unknown>): void
}

type SpanKind = 'server' | 'client' | 'internal'

interface Wish {
  name: string
  kind?: SpanKind
  facts?: Facts
  /** Of the request that asks for it: its `traceparent` is the parent. */
  from?: Headers
}

/** What records spans, where traces are wanted. */
export interface Tracing {
  span<Result>(wish: Wish, run: (span: Span) => Promise<Result>): Promise<Result>
  /** Headers that let another server continue the trace at hand (W3C Trace Context). */
  headers(): Record<string, string>
  /** The id of the trace at hand. */
  traceId(): string | undefined
  close(): Promise<void>
}

let tracing: Tracing | null = null
const silentSpan: Span = { name: () => {}, tell: () => {}, until: (work) => void work.catch(() => {}) }

/** Runs a step of the work, as a span where traces are wanted. */
export const traced = <Result>(wish: Wish, run: (span: Span) => Promise<Result>): Promise<Result> =>
  tracing ? tracing.span(wish, run) : run(silentSpan)

/** What to send along so that another server continues this trace; nothing where none is wanted. */
export const traceHeaders = (): Record<string, string> => tracing?.headers() ?? {}

/** The trace at hand, for the log. */
export const traceId = (): string | undefined => tracing?.traceId()

/** `fetch` as a span of its own, whose trace the other server can continue: for servers of ours. */
export function tracedFetch(url: string | URL, init: RequestInit = {}): Promise<Response> {
  requireNoTransaction('Another server')
  const facts = { 'server.address': new URL(url).host }
  return traced({ name: init.method ?? 'GET', kind: 'client', facts }, () => {
    const headers = new Headers(init.headers)
    for (const [name, value] of Object.entries(traceHeaders())) headers.set(name, value)
    return fetch(url, { ...init, headers })
  })
}

interface Wanted {
  /** Where an OpenTelemetry collector takes OTLP over HTTP. */
  endpoint: string
  version: string
  complain: (message: string) => void
}

/** Begins to record and send spans; the SDK is loaded now and not before. Returns what sends the rest and ends it. */
export async function startTracing(wanted: Wanted): Promise<() => Promise<void>> {
  const { openTelemetry } = await import('./telemetry/open-telemetry.ts')
  const own = openTelemetry(wanted)
  tracing = own
  return async () => {
    tracing = null
    await own.close()
  }
}
