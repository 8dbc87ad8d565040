import type { Context } from '../context.ts'
import { notFound, Problem } from '../errors.ts'
import type { Operation } from '../operation.ts'
import { StartupError } from '../startup-error.ts'
import type { RequestContext } from '../request/context.ts'

export interface Route {
  method: string
  path: string
  context: Context
  /** Name and declaration of its operation; unset for pages and webhooks. */
  operation?: readonly [string, Operation]
  run(requestContext: RequestContext): Promise<Response>
}

interface PathEntry {
  pattern: RegExp
  /** By method. Only shared paths have more than one for it. */
  owners: Map<string, Route[]>
}

/** By path, without the names of its parameters. */
export type Routes = Map<string, PathEntry>

/** Paths that several services have, each with its default service (PLT-05). */
export type SharedPaths = Readonly<Record<string, string>>

/** What holds for the paths of all services. */
export interface PathRules {
  shared: SharedPaths
  /** Paths that no service can have. */
  reserved?: RegExp
}

/**
 * Adds a route.
 * @throws {StartupError} when another one has its method and path, unless they are of two services that share the path
 */
export function claimRoute(routes: Routes, { shared, reserved }: PathRules, route: Route): void {
  const { method, path, context } = route
  if (reserved?.test(path)) throw new StartupError(`No service can have ${path}: that path is reserved.`)
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

/** 404 for an unknown path, 405 for a method that the path doesn't have. */
export function unmatchedProblem(method: string, methods: ReadonlySet<string>): Problem {
  if (methods.size === 0 || methods.has(method)) return notFound()
  return new Problem(405, 'method_not_allowed', `${method} is not supported. Use ${alternatives.format(methods)}.`, {
    headers: { Allow: [...methods].join(', ') },
  })
}

const alternatives = new Intl.ListFormat('en-GB', { type: 'disjunction' })
