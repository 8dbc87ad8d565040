import { z } from 'zod'
import type { Config } from '#config'
import type { Database } from '#lib/db.ts'
import type { Events } from '#lib/events.ts'
import { resolveNetworkUrl } from '#lib/network-origins.ts'
import { OutboundError, type Outbound, type OutboundInit } from '#lib/outbound.ts'
import { createFetch, type ProviderFetch, type ProviderInit } from '#lib/outbound/provider.ts'
import { createSlots } from '#lib/outbound/slots.ts'
import type { Clock } from '#lib/time.ts'
import { kindOf } from '../credentials/kinds.ts'
import type { ProviderCredential, UsableCredentials } from '../credentials/resolve.ts'
import { createBreakers, type Breakers } from './breakers.ts'
import { createDrains, type Drains } from './drains.ts'
import { edgeRoute } from './edge.ts'

declare module '#lib/call.ts' {
  interface Provided {
    readonly upstreams: Upstreams
  }
}

interface UpstreamInit {
  method?: string
  headers?: Record<string, string>
  /** A function opens a stream. */
  body?: string | Uint8Array<ArrayBuffer> | (() => ReadableStream<Uint8Array>)
  signal?: AbortSignal
  /** Instead of a signal: with it the caller ends the call, and so do the limits of the connection. */
  end?: AbortController
  /** On a kept-alive connection that the provider closed, Bun repeats the request. */
  keepalive?: false
  /** The organization whose share of the connections it uses; without it the call waits for a free one. */
  organizationId?: string
}

/** What a credential says of its provider’s address. */
type UpstreamProvider = Pick<ProviderCredential, 'level' | 'provider' | 'baseUrl'>

/** The connections of this process to providers, with what it remembers about them. */
export interface Upstreams {
  /** `path` begins with a slash. @throws {OutboundError} when there is no response */
  fetch(provider: UpstreamProvider, path: string, init: UpstreamInit): Promise<Response>
  cachedCredentials(key: string, load: () => Promise<UsableCredentials>): Promise<UsableCredentials>
  /** On all servers, once `db`’s transaction commits. */
  forgetCredentials(db: Database): Promise<void>
  readonly breakers: Breakers
  readonly drains: Drains
}

interface Options {
  config: Config
  events: Events
  now: Clock
  /** This server, whose practice models need no connection. */
  handle(request: Request): Promise<Response>
  outbound: Outbound
}

/** A host that people of an organization entered: each call looks its address up, and private ones are refused. */
function isUntrusted(config: Config, { level, provider, baseUrl }: UpstreamProvider): boolean {
  if (level !== 'organization' || config.ALLOW_PRIVATE_NETWORK) return false
  const own = kindOf(provider).baseUrl
  return baseUrl !== own && (own === null || baseUrl !== resolveNetworkUrl(config.NETWORK_ORIGINS, own).origin)
}

const guard = { streams: true, redirect: 'manual', timeoutMs: 600_000, maxBytes: 64 * 1024 * 1024 } as const

const guarded = ({ method, headers, body, signal, end }: UpstreamInit): OutboundInit => ({
  ...(method !== undefined && { method }),
  ...(headers && { headers }),
  ...(body !== undefined && { body }),
  ...(signal && { signal }),
  ...(end && { signal: end.signal }),
})

/** A connection that was kept can be closed by now, and a stream can’t be sent again on another one. */
function opened(init: UpstreamInit): ProviderInit {
  const { body } = init
  return typeof body === 'function' ? { ...init, body: body(), keepalive: false } : { ...init, body }
}

const credentialTtlMs = 2_000
const maxCached = 10_000
const maxFetches = 1_000
/** Of a process: each holds a connection and a response of any length passes through it. */
const maxDrains = 200
const changed = 'gateway.credentials'

export function createUpstreams({ config, events, now, handle, outbound }: Options): Upstreams {
  /** Of all hosts that organizations entered. */
  const untrusted = createSlots(config.AI_CONNECTIONS)
  const fetches = new Map<string, ProviderFetch>()
  const credentials = new Map<string, { loaded: Promise<UsableCredentials>; until: number }>()
  events.subscribe(changed, z.object({}), () => credentials.clear())
  events.onGap(() => credentials.clear())

  function fetchOf(baseUrl: string): ProviderFetch {
    const same = fetches.get(baseUrl)
    if (same) return same
    const { origin, host } = new URL(baseUrl)
    const known = fetches.get(origin)
    if (fetches.size >= maxFetches) fetches.clear()
    if (known) {
      fetches.set(baseUrl, known)
      return known
    }
    const responseMs = config.AI_RESPONSE_MS
    const created = createFetch({ name: host, baseUrl: origin, concurrency: config.AI_CONNECTIONS, responseMs })
    fetches.set(origin, created)
    return created
  }

  async function fetchUntrusted(
    { baseUrl, provider }: UpstreamProvider,
    path: string,
    init: UpstreamInit,
    organizationId: string | undefined,
  ): Promise<Response> {
    const release = organizationId === undefined ? () => {} : untrusted.takeShare(organizationId)
    if (!release) throw new OutboundError('busy', `All connections to ${provider} that you can have are in use.`)
    try {
      return await outbound.fetch(`${baseUrl}${path}`, { ...guard, ...guarded(init), onEnd: release })
    } catch (error) {
      release()
      throw error
    }
  }

  return {
    breakers: createBreakers(now),
    drains: createDrains({ max: maxDrains, maxMs: config.AI_RESPONSE_MS }),
    fetch: async (credential, path, given) => {
      const { organizationId } = given
      const edge = edgeRoute(config, credential)
      if (!edge && isUntrusted(config, credential)) return fetchUntrusted(credential, path, given, organizationId)
      const init = opened(given)
      if (edge) {
        const headers = new Headers(init.headers)
        for (const [name, value] of Object.entries(edge.headers)) headers.set(name, value)
        return fetchOf(edge.baseUrl)(`${edge.baseUrl}${path}`, { ...init, headers }, organizationId)
      }
      const { baseUrl } = credential
      if (baseUrl.startsWith('/'))
        return handle(
          new Request(`http://localhost${baseUrl}${path}`, { ...init, signal: init.end?.signal ?? init.signal }),
        )
      return fetchOf(baseUrl)(`${baseUrl}${path}`, init, organizationId)
    },
    cachedCredentials: async (key, load) => {
      const known = credentials.get(key)
      if (known && known.until > performance.now()) return known.loaded
      if (credentials.size >= maxCached) credentials.clear()
      const entry = { loaded: load(), until: performance.now() + credentialTtlMs }
      credentials.set(key, entry)
      entry.loaded.catch(() => credentials.delete(key))
      return entry.loaded
    },
    forgetCredentials: (db) => events.publish(db, changed, {}),
  }
}
