/** Attributes of a span: never content of users. */
type Facts = Record<string, string | number>

export interface Span {
  rename(name: string): void
  setAttributes(facts: Facts): void
  /** Ends the span when `work` does, and fails with it. */
  endAfter(work: Promise<unknown>): void
}

type SpanKind = 'server' | 'client' | 'internal'

export interface SpanOptions {
  name: string
  kind?: SpanKind
  facts?: Facts
  /** The headers of the request: its `traceparent` is the parent. */
  from?: Headers
}

export interface Tracing {
  span<Result>(options: SpanOptions, run: (span: Span) => Promise<Result>): Promise<Result>
  headers(): Record<string, string>
  traceId(): string | undefined
  close(): Promise<void>
}
