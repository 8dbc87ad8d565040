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
import type { Tracing } from './tracing.ts'

interface TracingOptions {
  endpoint: string
  version: string
  reportError: (message: string) => void
}

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL }
const batchDelayMs = 1_000
const shutdownTimeoutMs = 2_000

export function openTelemetry({ endpoint, version, reportError }: TracingOptions): Tracing {
  const ignore = () => {}
  diag.setLogger(
    { error: reportError, warn: reportError, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  )
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'atrium', 'service.version': version }),
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: batchDelayMs })],
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
          rename: (better) => void span.updateName(better),
          setAttributes: (more) => void span.setAttributes(more),
          endAfter: (more) => (rest = more),
        }),
      )
      work
        .then(() => rest)
        .catch((error: unknown) => recordError(span, error))
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
      await Promise.race([provider.shutdown(), Bun.sleep(shutdownTimeoutMs)])
      context.disable()
      diag.disable()
    },
  }
}

function recordError(span: OpenSpan, error: unknown): void {
  const message = String(errorFacts(error)['error'])
  span.setStatus({ code: SpanStatusCode.ERROR, message })
}
