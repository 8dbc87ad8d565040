import { isLoopback } from '../address.ts'
import type { Context } from '../context.ts'
import { notFound, Problem } from '../errors.ts'
import type { Route, SharedPaths } from './routes.ts'

/** Which host is whose; empty where one origin has everything. */
export interface Hosts {
  /** The slugs of the services at home on each host. */
  services: ReadonlyMap<string, readonly string[]>
  /** Hosts that answer everything: the public address, and those that only machines know. */
  all: ReadonlySet<string>
  /** Whether any other name gets 421: links are then made of the Host header, which must not be a stranger's. */
  closed?: boolean
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
/** Whether a host is one of this server's: of a service, of everything, or this very machine. */
export const isOurs = ({ services, all }: Hosts, hostname: string): boolean =>
  services.has(hostname) || all.has(hostname) || isLoopback(hostname)

/** Whether anything answers at a host. */
export const answersAt = (hosts: Hosts, hostname: string): boolean => takesAny(hosts) || isOurs(hosts, hostname)

const takesAny = ({ services, closed }: Hosts): boolean => services.size === 0 && !closed

/**
 * What is open where a request came to. Throws 421 for an unknown name, once hosts are configured and while the public
 * address isn't: a name that a stranger points here gets nothing.
 */
export function placeOf(hosts: Hosts, hostname: string): Place {
  if (takesAny(hosts)) return everything
  const here = hosts.services.get(hostname)
  if (here) {
    return {
      isOpen: ({ slug, everywhere }) => everywhere === true || here.includes(slug),
      owner: (slugs) => slugs.find((slug) => here.includes(slug)),
    }
  }
  if (isOurs(hosts, hostname)) return everything
  throw new Problem(
    421,
    'misdirected_request',
    hosts.closed
      ? 'This server answers at localhost alone until PUBLIC_URL, or a host of its own, is configured.'
      : 'This server has nothing at this address.',
  )
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
