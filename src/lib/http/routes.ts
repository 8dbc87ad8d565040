import type { Context } from '../context.ts'
import { notFound, Problem } from '../errors.ts'
import type { Operation } from '../operation.ts'
import { StartupError } from '../startup-error.ts'
import type { RequestContext } from '../request-context.ts'

/** One method of one path, and who answers it. */
export interface Route {
  method: string
  path: string
  context: Context
  /** The operation behind it with its name; none behind pages and webhooks. */
  operation?: readonly [string, Operation]
  run(requestContext: RequestContext): Promise<Response>
}

/** Who answers one path. */
interface Path {
  pattern: RegExp
  /** By method. Only shared paths have more than one for it. */
  owners: Map<string, Route[]>
}

/** Who answers each path, parameters' names aside. */
export type Routes = Map<string, Path>

/** Paths that several services may have, and whose they are when nothing decides (PLT-05). */
export type SharedPaths = Readonly<Record<string, string>>

/** Billing, referrals and rewards live nowhere here (PLT-18, SOC-41). */
const nowhere = /^\/(api|workspace)\/(billing|referrals|rewards)(\/|$)/

/**
 * Enters a route. Throws a StartupError when another has claimed its method and path, unless the path is shared and the
 * other is of another service: both would never be told apart.
 */
export function claimRoute(known: Routes, shared: SharedPaths, route: Route): void {
  const { method, path, context } = route
  if (nowhere.test(path)) throw new StartupError(`No service can answer ${path}: that path is reserved.`)
  const shape = shapeOf(path)
  const at = known.get(shape) ?? { pattern: patternOf(shape), owners: new Map<string, Route[]>() }
  const rivals = at.owners.get(method) ?? []
  const rival = rivals.find((other) => !(path in shared) || other.context.slug === context.slug)
  if (rival) throw new StartupError(`Two routes claim one path: ${named(rival)}, and ${named(route)}.`)
  at.owners.set(method, [...rivals, route])
  known.set(shape, at)
}

const shapeOf = (path: string): string => path.replaceAll(/:\w+/g, ':')

const patternOf = (shape: string): RegExp =>
  new RegExp(`^${shape.replaceAll('.', String.raw`\.`).replaceAll(':', '[^/]+')}$`)

const named = ({ method, path, context }: Route): string => `${method} ${path} of ${context.slug}`

/** The routes of a method and path, as they were claimed. */
export const rivalsOf = (known: Routes, method: string, path: string): readonly Route[] =>
  known.get(shapeOf(path))?.owners.get(method) ?? []

/** The methods that a path answers where these routes are open. */
export function methodsAt(known: Routes, path: string, isOpen: (context: Context) => boolean): Set<string> {
  return new Set(routesAt(known, path, isOpen).map(({ method }) => method))
}

/** The headers of OPTIONS beside the methods: those of the operations at a path. */
export const headersAt = (
  known: Routes,
  path: string,
  isOpen: (context: Context) => boolean,
): Readonly<Record<string, string>> =>
  Object.assign({}, ...routesAt(known, path, isOpen).map(({ operation }) => operation?.[1].headers))

const routesAt = (known: Routes, path: string, isOpen: (context: Context) => boolean): Route[] =>
  [...known.values()]
    .filter(({ pattern }) => pattern.test(path))
    .flatMap(({ owners }) => [...owners.values()].flat())
    .filter(({ context }) => isOpen(context))

/** 404 for a path that nothing answers, 405 for one that answers other methods. */
export function unmatched(method: string, path: string, methods: ReadonlySet<string>): Problem {
  if (methods.size === 0 || methods.has(method)) return notFound()
  const allow = [...methods].join(', ')
  return new Problem(405, 'method_not_allowed', `${path} answers ${allow}, not ${method}.`, {
    headers: { Allow: allow },
  })
}
