import { isLoopback } from '../address.ts'
import type { Context } from '../context.ts'
import { notFound, Problem } from '../errors.ts'
import type { Operation } from '../operation.ts'
import type { RequestContext } from '../request/context.ts'
import { StartupError } from '../startup-error.ts'

export interface Hosts {
  services: ReadonlyMap<string, readonly string[]>
  /** Hosts that serve everything: the public one, and internal ones. */
  all: ReadonlySet<string>
  closed?: boolean
}

declare module '../call.ts' {
  interface Provided {
    readonly hosts: Hosts
  }
}

/** A service's first host, else the public URL; `here`, the request's origin, replaces it in development and tests. */
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
export const isOwnHost = ({ services, all }: Hosts, hostname: string): boolean =>
  services.has(hostname) || all.has(hostname) || isLoopback(hostname)

export const acceptsHost = (hosts: Hosts, hostname: string): boolean =>
  acceptsAnyHost(hosts) || isOwnHost(hosts, hostname)

const acceptsAnyHost = ({ services, closed }: Hosts): boolean => services.size === 0 && !closed

/** @throws {Problem} 421 for an unknown host, which anyone could have pointed at this server */
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

/** By the host, else by `?app=`, else the default. @throws {Problem} 404 when the selected service isn't served here */
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

export interface Route {
  method: string
  path: string
  context: Context
  operation?: readonly [string, Operation]
  run(requestContext: RequestContext): Promise<Response>
}

interface PathEntry {
  pattern: RegExp
  owners: Map<string, Route[]>
}

/** By path, without the names of its parameters. */
export type Routes = Map<string, PathEntry>

/** Paths that several services have, each with its default service (PLT-05). */
export type SharedPaths = Readonly<Record<string, string>>

export interface PathRules {
  shared: SharedPaths
  reserved?: RegExp
}

/** @throws {StartupError} when another route has its method and path, unless two services share the path */
export function claimRoute(routes: Routes, { shared, reserved }: PathRules, route: Route): void {
  const { method, path, context } = route
  if (reserved?.test(path)) throw new StartupError(`No service can use ${path}: that path is reserved.`)
  const shape = shapeOf(path)
  const entry = routes.get(shape) ?? { pattern: patternOf(shape), owners: new Map<string, Route[]>() }
  const claimed = entry.owners.get(method) ?? []
  const conflicting = claimed.find((other) => !(path in shared) || other.context.slug === context.slug)
  if (conflicting)
    throw new StartupError(
      `Two routes claim the same path: ${describeRoute(conflicting)}, and ${describeRoute(route)}.`,
    )
  entry.owners.set(method, [...claimed, route])
  routes.set(shape, entry)
}

const shapeOf = (path: string): string => path.replaceAll(/:\w+/g, ':')

const patternOf = (shape: string): RegExp =>
  new RegExp(`^${shape.replaceAll('.', String.raw`\.`).replaceAll(':', '[^/]+')}$`)

const describeRoute = ({ method, path, context }: Route): string => `${method} ${path} of ${context.slug}`

export const routesAt = (routes: Routes, method: string, path: string): readonly Route[] =>
  routes.get(shapeOf(path))?.owners.get(method) ?? []

export function methodsAt(routes: Routes, path: string, isOpen: (context: Context) => boolean): Set<string> {
  return new Set(matchingRoutes(routes, path, isOpen).map(({ method }) => method))
}

export const headersAt = (
  routes: Routes,
  path: string,
  isOpen: (context: Context) => boolean,
): Readonly<Record<string, string>> =>
  Object.assign({}, ...matchingRoutes(routes, path, isOpen).map(({ operation }) => operation?.[1].headers))

const matchingRoutes = (routes: Routes, path: string, isOpen: (context: Context) => boolean): Route[] =>
  [...routes.values()]
    .filter(({ pattern }) => pattern.test(path))
    .flatMap(({ owners }) => [...owners.values()].flat())
    .filter(({ context }) => isOpen(context))

export function unmatchedProblem(method: string, methods: ReadonlySet<string>): Problem {
  if (methods.size === 0 || methods.has(method)) return notFound()
  return new Problem(405, 'method_not_allowed', `${method} is not supported. Use ${alternatives.format(methods)}.`, {
    headers: { Allow: [...methods].join(', ') },
  })
}

const alternatives = new Intl.ListFormat('en-GB', { type: 'disjunction' })
