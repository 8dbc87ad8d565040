import {
  context,
  defaultTextMapGetter,
  defaultTextMapSetter,
  diag,
  DiagLogLevel,
  isSpanContextValid,
  SpanKind,
  SpanStatusCode,
  trace,
  type Span as OpenSpan,
} from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { errorFacts } from '../log.ts'
import type { Tracing } from '../telemetry.ts'

interface Wanted {
  endpoint: string
  version: string
  complain: (message: string) => void
}

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL }
/** Milliseconds for which spans are gathered before they are sent. */
const gathering = 1_000
/** Milliseconds that a collector has at the end. */
const patience = 2_000

/** Spans by the official SDK, sent in batches as OTLP over HTTP. */
export function openTelemetry({ endpoint, version, complain }: Wanted): Tracing {
  const ignore = () => {}
  diag.setLogger(
    { error: complain, warn: complain, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  )
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'atrium', 'service.version': version }),
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: gathering })],
  })
  const tracer = provider.getTracer('atrium', version)
  const propagator = new W3CTraceContextPropagator()
  return {
    span: ({ name, kind = 'internal', facts, from }, run) => {
      const parent = from
        ? propagator.extract(context.active(), Object.fromEntries(from), defaultTextMapGetter)
        : context.active()
      const span = tracer.startSpan(name, { kind: kinds[kind], attributes: facts }, parent)
      let rest: Promise<unknown> | undefined
      const work = context.with(trace.setSpan(parent, span), () =>
        run({
          name: (better) => void span.updateName(better),
          tell: (more) => void span.setAttributes(more),
          until: (more) => (rest = more),
        }),
      )
      work
        .then(() => rest)
        .catch((error: unknown) => blame(span, error))
        .finally(() => span.end())
      return work
    },
    headers: () => {
      const headers: Record<string, string> = {}
      propagator.inject(context.active(), headers, defaultTextMapSetter)
      return headers
    },
    traceId: () => {
      const found = trace.getSpanContext(context.active())
      return found && isSpanContextValid(found) ? found.traceId : undefined
    },
    close: async () => {
      await Promise.race([provider.shutdown(), Bun.sleep(patience)])
      context.disable()
      diag.disable()
    },
  }
}

/** Says that it failed and how, as the log would: without what a query carried. */
function blame(span: OpenSpan, error: unknown): void {
  const message = String(errorFacts(error)['error'])
  span.setStatus({ code: SpanStatusCode.ERROR, message })
}
