import type { Context } from '../context.ts'

/** A service's slug without what all have: `platform-dashboard-api` → `dashboard`. */
export const shortName = (slug: string): string => slug.replace(/^platform-|-api$/g, '')

/** A route's path. */
export const pathIn = (route: string): string => route.slice(route.indexOf('/'))

/** What an operation is about: the noun of its path, or its service. */
export const tagOf = ({ slug }: Context, route: string): string =>
  /^\/(?:api|dev)\/([\w-]+)/.exec(pathIn(route))?.[1] ?? shortName(slug)
