import { notFound, Problem } from '../errors.ts'

/** Who answers each method of each path, parameters' names aside. */
export type Routes = Map<string, Map<string, string>>

/** Enters a route. Throws when another has claimed its method and path: both would never be told apart. */
export function claimRoute(known: Routes, method: string, path: string, owner: string): void {
  const shape = path.replaceAll(/:\w+/g, ':')
  const owners = known.get(shape) ?? new Map<string, string>()
  const claim = `${method} ${path} of ${owner}`
  const rival = owners.get(method)
  if (rival) throw new Error(`Two routes claim one path: ${rival}, and ${claim}`)
  known.set(shape, owners.set(method, claim))
}

/** The methods that a path answers. */
export function methodsAt(known: Routes, path: string): Set<string> {
  const methods = new Set<string>()
  for (const [shape, at] of known) {
    const pattern = new RegExp(`^${shape.replaceAll('.', String.raw`\.`).replaceAll(':', '[^/]+')}$`)
    if (pattern.test(path)) for (const method of at.keys()) methods.add(method)
  }
  return methods
}

/** 404 for a path that nothing answers, 405 for one that answers other methods. */
export function unmatched(known: Routes, method: string, path: string): Problem {
  const methods = [...methodsAt(known, path)]
  if (methods.length === 0 || methods.includes(method)) return notFound()
  const allow = methods.join(', ')
  return new Problem(405, 'method_not_allowed', `${path} answers ${allow}, not ${method}.`, {
    headers: { Allow: allow },
  })
}
