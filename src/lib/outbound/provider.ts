import { requireNoTransaction } from '../outside-calls.ts'
import { withSpan, traceHeaders } from '../telemetry.ts'
import { limitBody, readWhole } from './limit-body.ts'
import { OutboundError, outboundError } from './error.ts'
import { createSlots } from './slots.ts'

/** A service that the operator configured; for URLs that people enter use `outbound.fetch`. */
export interface Provider {
  name: string
  baseUrl: string
  /** Concurrent calls, including those whose response is still being read; 32 when not set. */
  concurrency?: number
  /** Milliseconds that a call waits for a free slot; 10,000 when not set. */
  waitMs?: number
  /** Milliseconds until the response begins; 60,000 when not set. */
  responseMs?: number
  /** Milliseconds between two chunks of the response; 60,000 when not set. */
  silenceMs?: number
  /** Milliseconds for the whole call once it has a slot; 600,000 when not set. */
  totalMs?: number
  /** Of the decompressed response; 64 MiB when not set. */
  maxBytes?: number
}

const defaults = {
  concurrency: 32,
  waitMs: 10_000,
  responseMs: 60_000,
  silenceMs: 60_000,
  totalMs: 600_000,
  maxBytes: 64 * 1024 * 1024,
}

export type ProviderFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>

/** Redirects are returned, not followed. @throws {OutboundError}; the reason of the caller’s `signal` */
export function createFetch(provider: Provider): ProviderFetch {
  const bounds = { ...defaults, ...provider }
  const { name } = bounds
  const { origin, host } = new URL(bounds.baseUrl)
  const slots = createSlots(bounds.concurrency)

  const call = async (input: string | URL | Request, init: RequestInit): Promise<Response> => {
    const method = init.method ?? (input instanceof Request ? input.method : 'GET')
    const own = init.signal ?? (input instanceof Request ? input.signal : undefined)
    const end = new AbortController()
    const signal = own ? AbortSignal.any([own, end.signal]) : end.signal
    const endAfter = (ms: number, error: () => OutboundError) => setTimeout(() => end.abort(error()), ms)

    const wait = endAfter(bounds.waitMs, () => new OutboundError('busy', `Too many calls to ${name} are in progress.`))
    const release = await slots.take(signal).finally(() => clearTimeout(wait))
    const total = endAfter(bounds.totalMs, () => tooSlow(name, 'didn’t finish', bounds.totalMs))
    const finish = () => {
      clearTimeout(total)
      release()
    }
    const failure = (error: unknown) => (signal.aborted ? signal.reason : outboundError(error, host))
    const responseTimer = endAfter(bounds.responseMs, () => tooSlow(name, 'didn’t respond', bounds.responseMs))
    try {
      const headers = new Headers(init.headers ?? (input instanceof Request ? input.headers : undefined))
      for (const [header, value] of Object.entries(traceHeaders())) headers.set(header, value)
      // The limits above replace Bun's own of 5 minutes.
      const response = await fetch(input, { ...init, headers, redirect: 'manual', signal, timeout: false })
      return replaceBody(
        response,
        method !== 'HEAD' && isSmall(response, bounds.maxBytes),
        (body) => {
          const limits = {
            signal,
            finish,
            failure,
            abort: (error: unknown) => end.abort(error),
            maxBytes: bounds.maxBytes,
            silenceMs: bounds.silenceMs,
            tooLarge: () => new OutboundError('too_large', `${name} sent more than ${bounds.maxBytes} bytes.`),
            silent: () => tooSlow(name, 'stopped sending', bounds.silenceMs),
          }
          return body instanceof Response ? readWhole(body, limits) : limitBody(body, limits)
        },
        finish,
      )
    } catch (error) {
      finish()
      throw failure(error)
    } finally {
      clearTimeout(responseTimer)
    }
  }

  return async (input, init = {}) => {
    requireNoTransaction(name)
    const url = input instanceof Request ? input.url : input.toString()
    if (!URL.canParse(url) || new URL(url).origin !== origin)
      throw new OutboundError('refused_address', `Calls to ${name} are limited to ${origin}.`)
    const method = init.method ?? (input instanceof Request ? input.method : 'GET')
    const facts = { 'server.address': host }
    return withSpan({ name: `${method} ${name}`, kind: 'client', facts }, () => call(input, init))
  }
}

const tooSlow = (name: string, what: string, ms: number) =>
  new OutboundError('timed_out', `${name} ${what} within ${ms / 1000} s.`)

type Body = ReadableStream<Uint8Array<ArrayBuffer>>

/** Bytes of a response that the runtime reads as a whole, which takes it less time than a stream. */
const smallBody = 64 * 1024

function isSmall({ headers }: Response, maxBytes: number): boolean {
  const length = Number(headers.get('content-length') ?? 0)
  return length > 0 && length <= Math.min(smallBody, maxBytes) && !headers.has('content-encoding')
}

function replaceBody(
  response: Response,
  isWhole: boolean,
  replace: (body: Body | Response) => Body,
  finish: () => void,
): Response {
  const { status, statusText, url } = response
  const body = isWhole ? response : response.body
  if (!body) finish()
  const headers = new Headers(response.headers)
  // The runtime has unpacked it.
  if (headers.has('content-encoding')) for (const name of ['content-encoding', 'content-length']) headers.delete(name)
  const same = new Response(body && replace(body), { status, statusText, headers })
  return Object.defineProperty(same, 'url', { value: url })
}
