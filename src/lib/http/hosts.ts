import { isLoopback } from '../address.ts'
import type { Context } from '../context.ts'
import { notFound, Problem } from '../errors.ts'
import type { Route, SharedPaths } from './routes.ts'

/** Which services each host serves; empty where one origin serves everything. */
export interface Hosts {
  /** The slugs of the services of each host. */
  services: ReadonlyMap<string, readonly string[]>
  /** Hosts that serve everything: the public one, and internal ones. */
  all: ReadonlySet<string>
  /** Whether other host names get 421: links are made from the Host header, which an attacker can set. */
  closed?: boolean
}

declare module '../call.ts' {
  interface Provided {
    readonly hosts: Hosts
  }
}

/**
 * The origin of a service for browsers: its first host, else the public URL. `here`, the origin of the request, replaces
 * the latter in development and tests.
 */
export function originOf({ services, all }: Hosts, slug: string, publicUrl: string | undefined, here: string): string {
  const base = new URL(publicUrl ?? here)
  const [own] = [...services].find(([, slugs]) => slugs.includes(slug)) ?? []
  if (own) base.hostname = own
  else if (services.has(base.hostname)) base.hostname = [...all][0] ?? 'localhost'
  return base.origin
}

export interface HostScope {
  isOpen(context: Pick<Context, 'slug' | 'everywhere'>): boolean
  owner(slugs: readonly string[]): string | undefined
}

const everythingOpen: HostScope = { isOpen: () => true, owner: () => undefined }
/** Whether a host is one of this server's, or loopback. */
export const isOwnHost = ({ services, all }: Hosts, hostname: string): boolean =>
  services.has(hostname) || all.has(hostname) || isLoopback(hostname)

export const acceptsHost = (hosts: Hosts, hostname: string): boolean =>
  acceptsAnyHost(hosts) || isOwnHost(hosts, hostname)

const acceptsAnyHost = ({ services, closed }: Hosts): boolean => services.size === 0 && !closed

/**
 * The services that a host serves.
 * @throws {Problem} 421 for an unknown host, which anyone could have pointed at this server
 */
export function scopeOf(hosts: Hosts, hostname: string): HostScope {
  if (acceptsAnyHost(hosts)) return everythingOpen
  const here = hosts.services.get(hostname)
  if (here) {
    return {
      isOpen: ({ slug, everywhere }) => everywhere === true || here.includes(slug),
      owner: (slugs) => slugs.find((slug) => here.includes(slug)),
    }
  }
  if (isOwnHost(hosts, hostname)) return everythingOpen
  throw new Problem(
    421,
    'misdirected_request',
    hosts.closed
      ? 'This server only serves localhost until PUBLIC_URL or a host is configured.'
      : 'This server doesn’t serve this host.',
  )
}

/**
 * Selects one of the services that share a path: by the host, else by `?app=`, else the default one.
 * @throws {Problem} 404 when the selected service isn't served here
 */
export function selectRoute(routes: readonly Route[], scope: HostScope, url: URL, shared: SharedPaths): Route {
  const open = routes.filter(({ context }) => scope.isOpen(context))
  const [first] = open
  if (!first) throw notFound()
  if (!(first.path in shared)) return first
  const bySlug = (slug: string | null | undefined) => open.find(({ context }) => context.slug === slug)
  const home = bySlug(scope.owner(open.map(({ context }) => context.slug)))
  if (home) return home
  const app = url.searchParams.get('app')
  if (app === null) return bySlug(shared[first.path]) ?? first
  const requested = bySlug(app)
  if (!requested) throw notFound('app')
  return requested
}
