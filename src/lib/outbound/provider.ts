import { requireNoTransaction } from '../outside-calls.ts'
import { withSpan, traceHeaders } from '../telemetry.ts'
import { limitBody } from './limit-body.ts'
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

export interface ProviderInit extends RequestInit {
  /** Of the caller, which ends the call with it; this function’s limits abort it, too. Instead of a `signal`. */
  end?: AbortController
}

/** With a `tenant`, the call doesn’t wait for a slot: above the tenant’s fair share it fails as `busy`. */
export type ProviderFetch = (input: string | URL | Request, init?: ProviderInit, tenant?: string) => Promise<Response>

/** Redirects are returned, not followed. @throws {OutboundError}; the reason of the caller’s `signal` */
export function createFetch(provider: Provider): ProviderFetch {
  const bounds = { ...defaults, ...provider }
  const { name } = bounds
  const { origin, host } = new URL(bounds.baseUrl)
  const slots = createSlots(bounds.concurrency)

  const waitForSlot = (signal: AbortSignal, end: AbortController): Promise<() => void> => {
    const busy = () => end.abort(new OutboundError('busy', `Too many calls to ${name} are in progress.`))
    const wait = setTimeout(busy, bounds.waitMs)
    return slots.take(signal).finally(() => clearTimeout(wait))
  }
  const shareOf = (tenant: string): (() => void) => {
    const release = slots.takeShare(tenant)
    if (release) return release
    throw new OutboundError('busy', `All connections to ${name} that you can have at a time are in use.`)
  }

  const call = async (
    input: string | URL | Request,
    init: ProviderInit,
    tenant: string | undefined,
  ): Promise<Response> => {
    const method = init.method ?? (input instanceof Request ? input.method : 'GET')
    const own = init.signal ?? (input instanceof Request ? input.signal : undefined)
    const { end = new AbortController() } = init
    const { signal } = end
    const leave = () => end.abort(own?.reason)
    if (own?.aborted) leave()
    else own?.addEventListener('abort', leave, { once: true })
    const endAfter = (ms: number, error: () => OutboundError) => setTimeout(() => end.abort(error()), ms)

    const unlink = () => own?.removeEventListener('abort', leave)
    let release
    try {
      release = tenant === undefined ? await waitForSlot(signal, end) : shareOf(tenant)
    } catch (error) {
      unlink()
      throw error
    }
    const startedAt = performance.now()
    const leftMs = () => startedAt + bounds.totalMs - performance.now()
    const unfinished = () => tooSlow(name, 'didn’t finish', bounds.totalMs)
    /** One timer for the phase, or for the whole call if that ends before. */
    const endPhaseAfter = (ms: number, error: () => OutboundError) => {
      const left = leftMs()
      return ms < left ? endAfter(ms, error) : endAfter(left, unfinished)
    }
    let total: ReturnType<typeof setTimeout> | undefined
    const finish = () => {
      clearTimeout(total)
      unlink()
      release()
    }
    const failure = (error: unknown) => (signal.aborted ? signal.reason : outboundError(error, host))
    const responseTimer = endPhaseAfter(bounds.responseMs, () => tooSlow(name, 'didn’t respond', bounds.responseMs))
    try {
      // The limits above replace Bun's own of 5 minutes.
      const response = await fetch(input, {
        ...init,
        headers: headersOf(input, init),
        redirect: 'manual',
        signal,
        timeout: false,
      })
      clearTimeout(responseTimer)
      const silent = () => tooSlow(name, 'stopped sending', bounds.silenceMs)
      if (method !== 'HEAD' && isSmall(response, bounds.maxBytes)) {
        const silence = endPhaseAfter(bounds.silenceMs, silent)
        const body = await response
          .bytes()
          .catch((error: unknown) => brokenBody(failure(error)))
          .finally(() => clearTimeout(silence))
        finish()
        return replaceBody(response, body)
      }
      total = endAfter(leftMs(), unfinished)
      if (!response.body) finish()
      const body =
        response.body &&
        limitBody(response.body, {
          signal,
          finish,
          failure,
          abort: (error: unknown) => end.abort(error),
          maxBytes: bounds.maxBytes,
          silenceMs: bounds.silenceMs,
          tooLarge: () => new OutboundError('too_large', `${name} sent more than ${bounds.maxBytes} bytes.`),
          silent,
        })
      return replaceBody(response, body)
    } catch (error) {
      finish()
      throw failure(error)
    } finally {
      clearTimeout(responseTimer)
    }
  }

  return async (input, init = {}, tenant) => {
    requireNoTransaction(name)
    const url = input instanceof Request ? input.url : input.toString()
    const isPlain = url.startsWith(`${origin}/`)
    if (!isPlain && (!URL.canParse(url) || new URL(url).origin !== origin))
      throw new OutboundError('refused_address', `Calls to ${name} are limited to ${origin}.`)
    const method = init.method ?? (input instanceof Request ? input.method : 'GET')
    const facts = { 'server.address': host }
    return withSpan({ name: `${method} ${name}`, kind: 'client', facts }, () => call(input, init, tenant))
  }
}

const tooSlow = (name: string, what: string, ms: number) =>
  new OutboundError('timed_out', `${name} ${what} within ${ms / 1000} s.`)

type Body = ReadableStream<Uint8Array<ArrayBuffer>>

/** Bytes of a response that is read as a whole, which takes less time than a stream. */
const smallBody = 64 * 1024

function isSmall({ headers }: Response, maxBytes: number): boolean {
  const length = Number(headers.get('content-length') ?? 0)
  return length > 0 && length <= Math.min(smallBody, maxBytes) && !headers.has('content-encoding')
}

/** The response began, so its failure is one of reading it. */
const brokenBody = (reason: unknown): Body =>
  new ReadableStream({ start: (controller) => controller.error(reason) }, { highWaterMark: 0 })

function headersOf(input: string | URL | Request, init: RequestInit): RequestInit['headers'] {
  const own = init.headers ?? (input instanceof Request ? input.headers : undefined)
  const trace = Object.entries(traceHeaders())
  if (trace.length === 0) return own
  const headers = new Headers(own)
  for (const [header, value] of trace) headers.set(header, value)
  return headers
}

function replaceBody(response: Response, body: Body | Uint8Array<ArrayBuffer> | null): Response {
  const { status, statusText, url } = response
  let { headers } = response
  // The runtime has unpacked it.
  if (headers.has('content-encoding')) {
    headers = new Headers(headers)
    for (const name of ['content-encoding', 'content-length']) headers.delete(name)
  }
  const same = new Response(body, { status, statusText, headers })
  return Object.defineProperty(same, 'url', { value: url })
}
