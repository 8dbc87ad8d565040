import { reply, stream, type Reply, type Stream } from '#lib/reply.ts'
import { logFault } from '#lib/log/fault.ts'
import type { ResolvedCredential } from '../credentials/resolve.ts'
import { StreamedError, type Part } from '../providers/adapter.ts'
import { exchangeHeaders } from './headers.ts'
import type { Exchange, Reached } from './types.ts'
import { Meter } from './meter.ts'
import { dollarsOf, settle } from './settle.ts'
import type { Encoder } from './encoder.ts'

type Body = Record<string, unknown>

/** The response to the caller: JSON with `usage.cost`, or a stream that settles when it ends. */
export async function deliver<Item>(reached: Reached<Item>, encoder: Encoder<Item>): Promise<Reply<Body> | Stream> {
  const { exchange } = reached
  if (reached.kind === 'stream') {
    const headers = { ...exchangeHeaders(exchange), 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' }
    return stream(streamOf(reached, encoder), 'text/event-stream', { headers })
  }
  const { body, usage, outputBytes } = reached.answer
  const { costNanoUsd } = settle(exchange, { usage, outputBytes })
  const cost = { 'x-atrium-cost-nano-usd': String(costNanoUsd) }
  return reply(200, withCost(body, costNanoUsd), { headers: { ...exchangeHeaders(exchange), ...cost } })
}

const withCost = (body: Body, costNanoUsd: bigint): Body =>
  typeof body['usage'] === 'object' && body['usage'] !== null
    ? { ...body, usage: { ...body['usage'], cost: dollarsOf(costNanoUsd) } }
    : body

const heartbeatMs = 15_000
const heartbeat = ':\n\n'

interface CallerState {
  hasLeft: boolean
  /** After that, the stream wasn’t read to its end either. */
  isCut: boolean
}

type Streaming<Item> = Extract<Reached<Item>, { kind: 'stream' }>

function streamOf<Item>(reached: Streaming<Item>, encoder: Encoder<Item>): ReadableStream<Uint8Array> {
  const text = new TextEncoder()
  const state: CallerState = { hasLeft: false, isCut: false }
  const frames = framesOf(reached, encoder, state)
  let timer: ReturnType<typeof setInterval> | undefined
  let sentAt = performance.now()
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        timer = setInterval(() => {
          if (performance.now() - sentAt > heartbeatMs && (controller.desiredSize ?? 0) >= 0)
            controller.enqueue(text.encode(heartbeat))
        }, heartbeatMs)
      },
      async pull(controller) {
        const { done, value } = await frames.next()
        if (state.hasLeft) return
        sentAt = performance.now()
        if (!done) return controller.enqueue(text.encode(value))
        clearInterval(timer)
        controller.close()
      },
      cancel() {
        clearInterval(timer)
        state.hasLeft = true
        const { log, upstreams } = reached.exchange.call
        const end = upstreams.drains.add(() => {
          state.isCut = true
          reached.stop()
        })
        void readToEnd(frames)
          .catch((error: unknown) => logFault(log, 'stream of a model', error))
          .finally(end)
      },
    },
    { highWaterMark: 0 },
  )
}

async function readToEnd(frames: AsyncGenerator<string>): Promise<void> {
  for (;;) if ((await frames.next()).done) return
}

async function* framesOf<Item>(
  { exchange, first, rest, stop }: Streaming<Item>,
  encoder: Encoder<Item>,
  state: CallerState,
): AsyncGenerator<string> {
  const meter = new Meter(exchange.maxOutput === null ? null : exchange.maxOutput * exchange.inquiry.bound.choices)
  let failure: unknown
  try {
    for (let part: Part<Item> | undefined = first; part; part = await nextPart(rest)) {
      meter.add(part)
      if (meter.isOver) {
        stop()
        yield encoder.cut()
        break
      }
      const frame = encoder.encode(part.item)
      if (frame !== '') yield frame
    }
  } catch (error) {
    failure = error
    stop()
  }
  // What was counted until then can be too low: of reasoning, for example, nothing is seen before the end.
  const isCut = state.isCut || failure !== undefined
  const metered = { ...meter.total(), isCut, errorCode: failure === undefined ? null : 'stream_failed' }
  const { usage, costNanoUsd } = settle(exchange, metered)
  if (failure !== undefined && !state.hasLeft) logFailure(exchange, failure)
  yield failure === undefined
    ? encoder.end({ usage, costNanoUsd })
    : encoder.fail(messageOf(failure, exchange.candidate.credential))
}

function messageOf(failure: unknown, { id, apiKey }: ResolvedCredential): string {
  if (!(failure instanceof StreamedError)) return 'The provider’s response ended early. Try again.'
  return id === null ? failure.message : failure.message.replaceAll(apiKey, '…')
}

async function nextPart<Item>(rest: AsyncIterator<Part<Item>>): Promise<Part<Item> | undefined> {
  const { done, value } = await rest.next()
  return done ? undefined : value
}

const logFailure = ({ call, candidate }: Exchange<unknown>, error: unknown): void =>
  call.log.warn('a provider’s stream failed', {
    request: call.request.id,
    provider: candidate.provider,
    error: error instanceof Error ? error.message : String(error),
  })
