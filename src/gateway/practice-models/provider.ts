import { neverRespond } from '#lib/counterpart.ts'
import { Problem } from '#lib/errors.ts'
import { randomToken } from '#lib/ids.ts'
import { readBytes } from '#lib/request/body.ts'
import type { BehaviorStore } from './behavior.ts'
import type { PracticeModelRequest, PracticeModelsBehavior } from './contract.ts'
import { ProviderError } from './provider-error.ts'
import { headersWithoutCredentials, type ReceivedRequests } from './received.ts'
import type { Answer, ProviderEndpoint, Wire } from './wire.ts'

export interface PracticeProvider {
  behaviors: BehaviorStore
  received: ReceivedRequests
}

interface Incoming {
  request: Request
  params: Readonly<Record<string, string>>
  signal: AbortSignal
  now: Date
}

const mebibyte = 1024 * 1024
const bodyLimits = { json: 32 * mebibyte, form: 64 * mebibyte }

/** Answers as the provider would, and fails as its behavior demands. */
export async function respond(
  { behaviors, received }: PracticeProvider,
  endpoint: ProviderEndpoint,
  { request, params, signal, now }: Incoming,
): Promise<Response> {
  const started = performance.now()
  const requestId = `req_${randomToken(18)}`
  const { headers } = request
  const wire = endpoint.wireOf(headers)
  const url = new URL(request.url)
  const record = received.add(
    {
      at: now,
      method: request.method,
      path: url.pathname,
      model: null,
      headers: headersWithoutCredentials(headers),
      body: null,
      bytes: 0,
      status: null,
    },
    wire.keyIn(headers),
  )
  const send = (status: number, answer: Answer, extra: Record<string, string> = {}, fault?: Fault): Response => {
    record.status = status
    const own = wire.headers({ requestId, processingMs: performance.now() - started })
    return toResponse(answer, { status, headers: { ...own, ...extra } }, fault)
  }
  try {
    const apiKey = wire.authenticate(headers)
    const body = endpoint.reads ? await readInput(request, wire, endpoint.reads, record) : null
    const accepted = await endpoint.accept(body, { now, params, query: url.searchParams, requestId }, headers)
    record.model = accepted.model
    const behavior = await behaviors.take({ model: accepted.model, apiKey })
    if (behavior.mode === 'timeout') return await neverRespond(signal)
    if (behavior.latencyMs) await Bun.sleep(behavior.latencyMs)
    refuseByBehavior(wire, behavior, accepted.model)
    return send(200, await accepted.answer(behavior), {}, { isCut: behavior.mode === 'cut', chunkMs: behavior.chunkMs })
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    const document = JSON.stringify(wire.formatError(error, requestId))
    return send(error.status, { contentType: 'application/json', body: document }, error.facts.headers)
  }
}

/** @throws {ProviderError} 400 for another media type or a malformed body, 413 */
async function readInput(
  request: Request,
  wire: Wire,
  reads: 'json' | 'form',
  record: Pick<PracticeModelRequest, 'body' | 'bytes'>,
): Promise<unknown> {
  const contentType = request.headers.get('content-type') ?? ''
  const expected = reads === 'json' ? 'application/json' : 'multipart/form-data'
  if (contentType.split(';', 1)[0]?.trim().toLowerCase() !== expected) throw wire.unsupportedType(contentType, expected)
  const bytes = await readBytes(request, { limit: bodyLimits[reads] }).catch((error: unknown) => {
    throw error instanceof Problem && error.status === 413 ? wire.tooLarge() : wire.malformedBody()
  })
  record.bytes = bytes.length
  try {
    if (reads === 'json') {
      const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
      if (bytes.length <= maxRecordedBytes) record.body = value
      return value
    }
    const form = await new Response(bytes, { headers: { 'content-type': contentType } }).formData()
    record.body = [...form].map(([name, value]) => ({
      name,
      value: typeof value === 'string' ? value.slice(0, maxRecordedText) : describeFile(value),
    }))
    return form
  } catch {
    throw wire.malformedBody()
  }
}

const maxRecordedBytes = 64 * 1024
const maxRecordedText = 2000
const describeFile = ({ name, type, size }: File) => ({ name, type, size })

/** @throws {ProviderError} */
function refuseByBehavior(
  wire: Wire,
  { mode, status = 500, retryAfter = 1 }: PracticeModelsBehavior,
  model: string | null,
) {
  if (mode === 'fail') throw wire.failure(status)
  if (mode === 'rate_limit') throw wire.rateLimit(model, retryAfter)
}

interface Fault {
  isCut: boolean
  chunkMs?: number
}

function toResponse(
  answer: Answer,
  init: { status: number; headers: Record<string, string> },
  fault?: Fault,
): Response {
  const isStream = 'events' in answer
  const headers = {
    ...init.headers,
    'Content-Type': isStream ? 'text/event-stream; charset=utf-8' : answer.contentType,
    ...(isStream && { 'Cache-Control': 'no-cache' }),
  }
  const { isCut = false, chunkMs = 0 } = fault ?? {}
  if (!isStream && !isCut) return new Response(answer.body, { ...init, headers })
  const pieces = isStream ? answer.events : [answer.body.slice(0, answer.body.length / 2), '']
  const sent = isCut ? pieces.slice(0, Math.ceil(pieces.length / 2)) : pieces
  return new Response(streamPieces(sent, { isCut, chunkMs }), { ...init, headers })
}

/** What was sent must have left before the connection breaks. */
const cutDelayMs = 20

function streamPieces(pieces: readonly string[], { isCut, chunkMs }: Required<Fault>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let next = 0
  return new ReadableStream({
    async pull(controller) {
      const piece = pieces[next]
      if (piece === undefined && !isCut) return controller.close()
      if (piece === undefined) {
        await Bun.sleep(cutDelayMs)
        // With a reason, Bun would log it as an error of the server.
        return controller.error()
      }
      if (chunkMs > 0 && next > 0) await Bun.sleep(chunkMs)
      next += 1
      controller.enqueue(encoder.encode(piece))
    },
  })
}
