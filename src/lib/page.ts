import type { z } from 'zod'
import type { Permission } from './actor.ts'
import type { Call } from './call.ts'
import type { Icons } from './icon.ts'
import type { LimitClass } from './limits.ts'
import type { Caller, ParamsOf, Schema } from './operation.ts'
import type { Redirect, Reply } from './reply.ts'

/** Areas separate from the apps, each with a sidebar that lists its pages. */
export type Area = 'settings' | 'admin' | 'developers'

/**
 * The frame around a page: its app's shell, the shell of an area, the sign-in door, that of steps, only the product's
 * name, that of guests, whose page draws everything, the public site, which has no scripts, or the public site without its
 * navigation, for checkouts.
 */
export type Frame = 'shell' | Area | 'door' | 'steps' | 'plain' | 'guest' | 'site' | 'checkout'

interface Definition<Path, Access, Query, Data> {
  /** Every path parameter must be a field of `query`. */
  path: Path & `/${string}`
  permission: Access
  /** The class of its rate limit; `reads` when not set. A visit counts like a call of the operations that it asks. */
  limit?: LimitClass
  query: Schema<unknown, Query>
  frame?: Frame
  /** The view draws the page's header itself; otherwise an area draws one with the title. */
  header?: 'own'
  /** Stylesheets under `public/css/screens`, separated by spaces. */
  screen?: string
  icon?: keyof Icons
  /** Its place in the sidebar of its area; 0 by default. */
  rank?: number
  /** Whether it comes first among the places at the bottom of narrow screens. */
  quick?: true
  /** Other words that people search for it by, separated by spaces. */
  keywords?: string
  /** One sentence about it for the overview of its area. */
  summary?: string
  title: string | ((data: Data) => string)
  /** For search engines and links to it. Pages of the public site without one aren’t for search engines. */
  description?: string
  load(call: Call<Query, Caller<Access>>): Promise<Data | Reply<Data> | Redirect>
  view(data: NoInfer<Data>, call: Call<Query, Caller<Access>>): JSX.Element
  /** Replaces a part that reloads itself after its resource was deleted (`load` throws 404). */
  gone?(): JSX.Element
}

export interface Page {
  path: string
  permission: Permission
  limit?: LimitClass
  query: z.ZodType
  frame?: Frame
  header?: 'own'
  screen?: string
  icon?: keyof Icons
  rank?: number
  quick?: true
  keywords?: string
  summary?: string
  title: string | ((data: unknown) => string)
  description?: string
  load(call: Call): Promise<unknown>
  view(data: unknown, call: Call): JSX.Element
  gone?(): JSX.Element
}

export const page = <
  const Path extends string,
  const Access extends Permission,
  Query extends Record<ParamsOf<Path>, unknown>,
  Data,
>(
  definition: Definition<Path, Access, Query, Data>,
): Page => definition as never

/** The value of a parameter of the page that requests a fragment, such as the opened item of a list. */
export const parameterOfPage = ({ request }: Pick<Call, 'request'>, name: string): string | undefined =>
  URL.parse(request.headers.get('hx-current-url') ?? '')?.searchParams.get(name) ?? undefined

/** Whether the page at this path, or one below it, sent the request; plain forms send it as `Referer`. */
export function comesFrom({ request }: Pick<Call, 'request'>, path: string): boolean {
  const current = URL.parse(request.headers.get('hx-current-url') ?? request.headers.get('referer') ?? '')
  return current !== null && `${current.pathname}/`.startsWith(`${path}/`)
}

/** Whether htmx replaces the element with this ID, which decides what of a result is drawn. */
export const isTarget = ({ request }: Pick<Call, 'request'>, id: string): boolean =>
  request.headers.get('hx-target')?.endsWith(`#${id}`) ?? false
