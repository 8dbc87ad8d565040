import type { Context } from '../context.ts'
import { notFound, Problem } from '../errors.ts'
import type { Route, SharedPaths } from './routes.ts'

/** Which host is whose; empty where one origin has everything. */
export interface Hosts {
  /** The slugs of the services at home on each host. */
  services: ReadonlyMap<string, readonly string[]>
  /** Hosts that answer everything: the public address, and those that only machines know. */
  all: ReadonlySet<string>
}

declare module '../call.ts' {
  interface Provided {
    readonly hosts: Hosts
  }
}

/**
 * Where browsers find a service: on its first host where it has one, else at the public address, which only development
 * and tests may lack. `here` is the origin that a request came to.
 */
export function originOf({ services, all }: Hosts, slug: string, publicUrl: string | undefined, here: string): string {
  const base = new URL(publicUrl ?? here)
  const [own] = [...services].find(([, slugs]) => slugs.includes(slug)) ?? []
  if (own) base.hostname = own
  else if (services.has(base.hostname)) base.hostname = [...all][0] ?? 'localhost'
  return base.origin
}

/** What is open on one host. */
export interface Place {
  isOpen(context: Pick<Context, 'slug' | 'everywhere'>): boolean
  /** The service whose host it is, among these. */
  owner(slugs: readonly string[]): string | undefined
}

const everything: Place = { isOpen: () => true, owner: () => undefined }
/** Whether a URL's host is this very machine by any name of its own. */
export const isLoopback = (hostname: string): boolean => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)

/** Whether a host is one of this server's: of a service, of everything, or this very machine. */
export const isOurs = ({ services, all }: Hosts, hostname: string): boolean =>
  services.has(hostname) || all.has(hostname) || isLoopback(hostname)

/** Whether anything answers at a host: where no hosts are configured, at every one. */
export const answersAt = (hosts: Hosts, hostname: string): boolean =>
  hosts.services.size === 0 || isOurs(hosts, hostname)

/**
 * What is open where a request came to. Throws 421 for a host that is nobody's, once hosts are configured: a name that
 * somebody else points here gets nothing.
 */
export function placeOf({ services, all }: Hosts, hostname: string): Place {
  if (services.size === 0) return everything
  const here = services.get(hostname)
  if (here) {
    return {
      isOpen: ({ slug, everywhere }) => everywhere === true || here.includes(slug),
      owner: (slugs) => slugs.find((slug) => here.includes(slug)),
    }
  }
  if (all.has(hostname) || isLoopback(hostname)) return everything
  throw new Problem(421, 'misdirected_request', 'This server has nothing at this address.')
}

/**
 * Of the services that share a path the one that is meant: by the host, else by `?app=`, else by what is usual.
 * Throws 404 when that one isn't here.
 */
export function chosenOf(routes: readonly Route[], place: Place, url: URL, shared: SharedPaths): Route {
  const open = routes.filter(({ context }) => place.isOpen(context))
  const [first] = open
  if (!first) throw notFound()
  if (!(first.path in shared)) return first
  const bySlug = (slug: string | null | undefined) => open.find(({ context }) => context.slug === slug)
  const home = bySlug(place.owner(open.map(({ context }) => context.slug)))
  if (home) return home
  const app = url.searchParams.get('app')
  if (app === null) return bySlug(shared[first.path]) ?? first
  const asked = bySlug(app)
  if (!asked) throw notFound('app')
  return asked
}
