import { z } from 'zod'
import { NanoUsd } from './nano-usd.ts'
import { listOf } from '#lib/paginate.ts'
import { Timestamp } from '#lib/time.ts'

export const telemetryDimensions = ['hour', 'day', 'provider', 'model', 'application', 'status'] as const
export const TelemetryDimension = z.enum(telemetryDimensions)
export type TelemetryDimension = z.output<typeof TelemetryDimension>

const name = z.string().nullable().optional()
const Percentiles = z
  .object({ p50: z.number(), p95: z.number(), p99: z.number() })
  .nullable()
  .describe('Milliseconds; null without a measured call.')

export const ProviderTelemetry = z.object({
  hour: z.iso.datetime().nullable().optional().describe('Its beginning, in UTC.'),
  day: name.describe('In UTC.'),
  provider: name,
  model: name,
  applicationId: name,
  status: name.describe('The HTTP status of the provider.'),
  calls: z.int(),
  errors: z.int().describe('Calls with an error code, or a status from 400.'),
  errorRate: z.number().describe('From 0 to 1.'),
  fallbacks: z.int().describe('Calls that another model answered.'),
  fallbackRate: z.number(),
  streamed: z.int(),
  latencyMs: Percentiles,
  firstByteMs: Percentiles,
  inputTokens: z.int(),
  outputTokens: z.int(),
  costNanoUsd: NanoUsd,
})
export type ProviderTelemetry = z.output<typeof ProviderTelemetry>

export const ProviderCircuit = z.object({
  provider: z.string(),
  model: z.string(),
  credential: z.enum(['organization', 'platform', 'practice']).describe('Whose key is used.'),
  state: z
    .enum(['closed', 'open', 'probing', 'limited'])
    .describe('open: calls fail at once. probing: one call tries again. limited: the provider asked for a pause.'),
  failures: z.int().describe('In a row.'),
  openedAt: Timestamp.nullable(),
  nextCallAt: Timestamp.nullable().describe('When a call is tried again; null when one can be made now.'),
})
export type ProviderCircuit = z.output<typeof ProviderCircuit>

export const ProviderCircuitList = listOf(ProviderCircuit)

export const ProviderTelemetryList = listOf(ProviderTelemetry)

export const ProviderFailure = z.object({
  id: z.string(),
  occurredAt: Timestamp,
  requestId: z.string().describe('Attempts of one request begin with the same ID.'),
  applicationId: z.string().nullable(),
  applicationName: z.string().nullable().describe('If the app is known.'),
  provider: z.string(),
  model: z.string().nullable(),
  status: z.int().nullable().describe('The HTTP status of the attempt.'),
  errorCode: z.string().nullable(),
  fallbacks: z.int().describe('Models that were tried before this one.'),
  latencyMs: z.int().nullable(),
})
export type ProviderFailure = z.output<typeof ProviderFailure>

export const ProviderFailureList = listOf(ProviderFailure)
