import { z } from 'zod'
import type { Config } from '#config'
import type { Database } from '#lib/db.ts'
import type { Events } from '#lib/events.ts'
import type { Outbound, OutboundInit } from '#lib/outbound.ts'
import { createFetch, type ProviderFetch } from '#lib/outbound/provider.ts'
import type { Clock } from '#lib/time.ts'
import type { ResolvedCredential } from '../credentials/resolve.ts'
import { createBreakers, type Breakers } from './breakers.ts'
import { edgeRoute } from './edge.ts'
import { baseUrlOf } from './known.ts'

declare module '#lib/call.ts' {
  interface Provided {
    readonly upstreams: Upstreams
  }
}

type Credentials = ReadonlyMap<string, ResolvedCredential>

interface UpstreamInit {
  method?: string
  headers?: Record<string, string>
  body?: string | FormData
  signal?: AbortSignal
}

/** The connections of this process to providers, with what it remembers about them. */
export interface Upstreams {
  /** `path` begins with a slash. @throws {OutboundError} when there is no response */
  fetch(credential: ResolvedCredential, path: string, init: UpstreamInit): Promise<Response>
  cachedCredentials(key: string, load: () => Promise<Credentials>): Promise<Credentials>
  /** On all servers, once `db`’s transaction commits. */
  forgetCredentials(db: Database): Promise<void>
  readonly breakers: Breakers
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
const isUntrusted = (config: Config, { level, provider, baseUrl }: ResolvedCredential): boolean =>
  level === 'organization' && !config.ALLOW_PRIVATE_NETWORK && baseUrl !== baseUrlOf(provider)

const guard = { streams: true, redirect: 'manual', timeoutMs: 600_000, maxBytes: 64 * 1024 * 1024 } as const

const guarded = ({ method, headers, body, signal }: UpstreamInit): OutboundInit => ({
  ...(method !== undefined && { method }),
  ...(headers && { headers }),
  ...(body !== undefined && { body }),
  ...(signal && { signal }),
})

const credentialTtlMs = 2_000
const maxCached = 10_000
const maxFetches = 1_000
const changed = 'gateway.credentials'

export function createUpstreams({ config, events, now, handle, outbound }: Options): Upstreams {
  const fetches = new Map<string, ProviderFetch>()
  const credentials = new Map<string, { loaded: Promise<Credentials>; until: number }>()
  events.subscribe(changed, z.object({}), () => credentials.clear())
  events.onGap(() => credentials.clear())

  function fetchOf(baseUrl: string): ProviderFetch {
    const { origin, host } = new URL(baseUrl)
    const known = fetches.get(origin)
    if (known) return known
    if (fetches.size >= maxFetches) fetches.clear()
    const responseMs = config.AI_RESPONSE_MS
    const created = createFetch({ name: host, baseUrl: origin, concurrency: 2_000, responseMs })
    fetches.set(origin, created)
    return created
  }

  return {
    breakers: createBreakers(now),
    fetch: async (credential, path, init) => {
      const edge = edgeRoute(config, credential)
      if (edge) {
        const headers = new Headers(init.headers)
        for (const [name, value] of Object.entries(edge.headers)) headers.set(name, value)
        return fetchOf(edge.baseUrl)(`${edge.baseUrl}${path}`, { ...init, headers })
      }
      const { baseUrl } = credential
      if (baseUrl.startsWith('/')) return handle(new Request(`http://localhost${baseUrl}${path}`, init))
      if (isUntrusted(config, credential)) return outbound.fetch(`${baseUrl}${path}`, { ...guard, ...guarded(init) })
      return fetchOf(baseUrl)(`${baseUrl}${path}`, init)
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
