type Facts = Record<string, string | number>

export interface Span {
  rename(name: string): void
  setAttributes(facts: Facts): void
  endAfter(work: Promise<unknown>): void
}

type SpanKind = 'server' | 'client' | 'internal'

export interface SpanOptions {
  name: string
  kind?: SpanKind
  facts?: Facts
  from?: Headers
}

export interface Tracing {
  span<Result>(options: SpanOptions, run: (span: Span) => Promise<Result>): Promise<Result>
  headers(): Record<string, string>
  traceId(): string | undefined
  close(): Promise<void>
}
