import { setDeprecation } from '../deprecation.ts'
import { tagOf } from '../openapi/tag.ts'
import type { RequestContext } from '../request/context.ts'
import { fillPath } from '../route-path.ts'
import type { HttpDependencies } from './dependencies.ts'

export function setDeprecationHeaders(
  headers: Headers,
  { route, params }: RequestContext,
  http: HttpDependencies,
): void {
  const [name, operation] = route?.operation ?? []
  if (!route || !operation?.deprecated) return
  setDeprecation(headers, operation.deprecated, {
    reference: `/openapi/${tagOf(route.context, operation.route)}#${name}`,
    successor: pathOf(http, operation.deprecated.instead, params),
  })
}

/** The path of an operation, called with the same parameters; null when it needs others. */
function pathOf(
  { contexts }: HttpDependencies,
  name: string | undefined,
  params: Record<string, string>,
): string | null {
  const route = contexts.map(({ operations }) => operations[name ?? '']?.route).find(Boolean)
  const path = route && fillPath(route.replace(/^\w+ /, ''), (key) => params[key])
  return path && !path.includes(':') ? path : null
}
