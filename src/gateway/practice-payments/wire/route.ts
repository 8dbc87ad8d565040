import { z } from 'zod'
import type { PaymentsCall } from './call.ts'
import { invalidRequest, StripeError } from './error.ts'
import type { Fields } from './form.ts'
import { list, parseParams, text } from './params.ts'

type Method = 'GET' | 'POST' | 'DELETE'

export interface Accepted {
  expand: readonly string[]
  run(call: PaymentsCall): Promise<unknown>
}

export interface Route {
  method: Method
  path: string
  /** @throws {StripeError} for parameters that the route doesn’t have */
  accept(given: Fields, ids: readonly string[]): Accepted
}

const expansions = z.strictObject({ expand: list(text(200), 50).default([]) })

/** `run` gets the parameters, then what fills the `:id`s of the path. */
export const route = <Params>(
  method: Method,
  path: string,
  params: z.ZodType<Params>,
  run: (call: PaymentsCall, params: Params, ...ids: string[]) => Promise<unknown>,
): Route => ({
  method,
  path,
  accept: ({ expand: expanded, ...given }, ids) => {
    const { expand } = parseParams(expansions, expanded === undefined ? {} : { expand: expanded })
    if (expand.some((each) => each.split('.').filter((part) => part !== 'data').length > 4))
      throw invalidRequest('You cannot expand more than 4 levels of a property', 'expand')
    const checked = parseParams(params, given)
    return { expand, run: (call) => run(call, checked, ...ids) }
  },
})

export const nothing = z.strictObject({})

interface Match {
  route: Route
  ids: string[]
}

/** @throws {StripeError} 404 */
export function matchRoute(routes: readonly Route[], method: string, path: string): Match {
  const parts = path.split('/').filter(Boolean)
  let best: Match | null = null
  for (const each of routes) {
    if (each.method !== method) continue
    const ids = idsIn(each.path.split('/').filter(Boolean), parts)
    if (ids && (!best || ids.length < best.ids.length)) best = { route: each, ids }
  }
  if (best) return best
  throw new StripeError(
    404,
    `Unrecognized request URL (${method}: /${parts.join('/')}). Please see https://stripe.com/docs or we can help at https://support.stripe.com/.`,
  )
}

function idsIn(pattern: readonly string[], parts: readonly string[]): string[] | null {
  if (pattern.length !== parts.length) return null
  const ids: string[] = []
  for (const [at, part] of pattern.entries()) {
    const given = parts[at] ?? ''
    if (part.startsWith(':') && /^[\w.%-]+$/.test(given)) ids.push(given)
    else if (part !== given) return null
  }
  return ids
}
