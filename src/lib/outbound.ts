import ipaddr from 'ipaddr.js'
import { addressesOf, isPublic, systemResolve, type Resolve } from './outbound/addresses.ts'
import { readResponse, streamResponse } from './outbound/body.ts'
import { OutboundError, outboundError } from './outbound/error.ts'
import { redirectOf, type Hop, type SendableBody } from './outbound/redirect.ts'
import { requireNoTransaction } from './outside-calls.ts'
import { withSpan, traceHeaders } from './telemetry.ts'

export { OutboundError }

declare module './call.ts' {
  interface Provided {
    readonly outbound: Outbound
  }
}

/** Requests to URLs that people enter: feeds, media, webhooks, instances (PLT-25). */
export interface Outbound {
  /** Never calls a private address, not even by a redirect or DNS rebinding. @throws {OutboundError} */
  fetch(url: string | URL, init?: OutboundInit): Promise<Response>
  /** Host names are not resolved. @throws {OutboundError} `refused_address` */
  check(url: URL): void
}

export interface OutboundInit {
  method?: string
  headers?: HeadersInit
  body?: SendableBody
  signal?: AbortSignal
  /** Including redirects and body; 10,000 when not set. */
  timeoutMs?: number
  /** Limit of the decompressed body; 5 MiB when not set. */
  maxBytes?: number
  /** At most 3, which is the default. */
  maxRedirects?: number
  /** `manual`: a redirect is returned as the response. */
  redirect?: 'manual'
  /** The body is read as it arrives, within the same limits and at most a minute between two chunks. */
  streams?: true
  /** With `streams`: called when the response’s body has ended, however it did. */
  onEnd?(): void
}

interface Options {
  allowPrivate: boolean
  resolve?: Resolve
  permits?: (address: string) => boolean
  /** Authorities to trust instead of the system's, as PEM. */
  ca?: string
}

const defaultRedirects = 3
const limits = { timeoutMs: 10_000, maxBytes: 5 * 1024 * 1024, maxRedirects: defaultRedirects }

export function createOutbound({ allowPrivate, resolve = systemResolve, permits = isPublic, ca }: Options): Outbound {
  const resolveChecked = (url: URL) => {
    checkUrl(url, allowPrivate)
    return addressesOf(nameOf(url), resolve, allowPrivate ? () => true : permits)
  }
  return {
    check: (url) => {
      checkUrl(url, allowPrivate)
      const literal = nameOf(url).replace(/^\[|\]$/g, '')
      const isInside = ipaddr.isValid(literal) ? !permits(literal) : /(^|\.)localhost$/.test(literal)
      if (!allowPrivate && isInside) throw new OutboundError('refused_address', `${url.host} is in a private network.`)
    },
    fetch: async (url, { timeoutMs, maxBytes, maxRedirects, redirect, streams, onEnd, signal, ...init } = {}) => {
      requireNoTransaction('The server')
      const clock = AbortSignal.timeout(timeoutMs ?? limits.timeoutMs)
      const shared: SharedOptions = {
        resolveChecked,
        ca,
        signal: signal ? AbortSignal.any([signal, clock]) : clock,
        maxBytes: maxBytes ?? limits.maxBytes,
        redirect,
        streams,
        onEnd: onEnd ?? (() => {}),
      }
      const facts = { 'server.address': URL.canParse(url.toString()) ? new URL(url).host : '' }
      return withSpan({ name: init.method ?? 'GET', kind: 'client', facts }, () =>
        follow(shared, firstHop(url, init), Math.min(maxRedirects ?? defaultRedirects, defaultRedirects)),
      )
    },
  }
}

interface SharedOptions {
  /** @throws {OutboundError} when the host must not be called */
  resolveChecked(url: URL): Promise<string[]>
  ca: string | undefined
  signal: AbortSignal
  maxBytes: number
  redirect: OutboundInit['redirect']
  streams: OutboundInit['streams']
  onEnd(): void
}

function firstHop(address: string | URL, { method = 'GET', headers, body }: OutboundInit): Hop {
  if (!URL.canParse(address.toString())) throw new OutboundError('refused_address', 'That is not a URL.')
  const own = new Headers(headers)
  own.delete('host')
  if (!own.has('user-agent')) own.set('user-agent', 'Atrium')
  for (const [name, value] of Object.entries(traceHeaders())) own.set(name, value)
  return { url: new URL(address), method: method.toUpperCase(), headers: own, body: body ?? null }
}

/** Without the trailing dot, as in certificates. */
const nameOf = ({ hostname }: URL): string => hostname.replace(/\.$/, '')

const isSafe = (method: string): boolean => method === 'GET' || method === 'HEAD'

async function follow(shared: SharedOptions, first: Hop, redirects: number): Promise<Response> {
  let hop = first
  for (let left = redirects; ; left--) {
    const wasSent = hop !== first && !isSafe(first.method)
    const response = await send(shared, hop).catch((error: unknown) => {
      throw wasSent ? afterRedirect(error) : error
    })
    const next = shared.redirect === 'manual' ? null : redirectOf(hop, response)
    if (!next) return response
    if (left === 0)
      throw new OutboundError('too_many_redirects', `${first.url.host} redirects more than ${redirects} times.`)
    hop = next
  }
}

/** The server that redirected a POST can have processed it, so a later failure doesn't mean that nothing happened. */
const afterRedirect = (error: unknown): unknown =>
  error instanceof OutboundError && error.outcome === 'unreachable'
    ? new OutboundError('lost', error.message, { cause: error })
    : error

async function send(shared: SharedOptions, hop: Hop): Promise<Response> {
  const addresses = await beforeAbort(shared.signal, hop.url, shared.resolveChecked(hop.url))
  let failure = new OutboundError('unreachable', `${hop.url.host} has no IP address.`)
  for (const address of addresses) {
    try {
      return await sendTo(address, shared, hop)
    } catch (error) {
      failure = outboundError(error, hop.url.host)
      if (failure.outcome !== 'unreachable') throw failure
    }
  }
  throw failure
}

/** Calls the checked IP address, so that a second DNS lookup can't return another one. */
async function sendTo(address: string, shared: SharedOptions, hop: Hop): Promise<Response> {
  const { ca, signal, maxBytes, streams, onEnd } = shared
  const end = new AbortController()
  let isOpen = false
  const either = AbortSignal.any([signal, end.signal])
  const { url, method, body } = hop
  const numbered = new URL(url)
  numbered.hostname = address.includes(':') ? `[${address}]` : address
  const headers = new Headers(hop.headers)
  headers.set('host', url.host)
  headers.set('accept-encoding', streams ? 'identity' : 'gzip')
  try {
    const response = await fetch(numbered, {
      method,
      headers,
      body: typeof body === 'function' ? body() : body,
      redirect: 'manual',
      decompress: false,
      // A reused connection could belong to another host at that address, or be closed in the meantime.
      keepalive: false,
      signal: either,
      tls: { ...(numbered.hostname !== url.hostname && { serverName: nameOf(url) }), ...(ca && { ca }) },
    })
    if (!streams) return await readResponse(response, url, maxBytes)
    isOpen = true
    return streamResponse(response, url, { signal: either, maxBytes, abort: (reason) => end.abort(reason), onEnd })
  } finally {
    if (!isOpen) end.abort()
  }
}

/** DNS lookups can't be aborted. When the signal aborts during one, nothing was sent. */
async function beforeAbort<Found>(signal: AbortSignal, url: URL, found: Promise<Found>): Promise<Found> {
  const ended = Promise.withResolvers<never>()
  const end = () => ended.reject(new OutboundError('unreachable', `The DNS lookup of ${url.host} took too long.`))
  if (signal.aborted) end()
  signal.addEventListener('abort', end)
  return Promise.race([found, ended.promise]).finally(() => signal.removeEventListener('abort', end))
}

/** @throws {OutboundError} `refused_address` */
function checkUrl(url: URL, allowPrivate: boolean): void {
  const refused = (message: string) => new OutboundError('refused_address', message)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw refused('Use an http or https URL.')
  if (url.username || url.password) throw refused('Remove the username and password from the URL.')
  // Mail, SSH and SMB listen below 1024, and some of them can be attacked with HTTP requests.
  if (!allowPrivate && url.port !== '' && Number(url.port) < 1024)
    throw refused(`Port ${url.port} is not allowed. Use 80, 443, or a port from 1024 on.`)
}
