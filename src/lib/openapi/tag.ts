import type { Context } from '../context.ts'

/** The name of a context in the API reference. */
export const groupOf = ({ slug, group = slug }: Pick<Context, 'slug' | 'group'>): string => group

/** A route's path. */
export const pathIn = (route: string): string => route.slice(route.indexOf('/'))

/** What an operation is about: the noun of its path, or its service. */
export const tagOf = (context: Pick<Context, 'slug' | 'group'>, route: string): string =>
  /^\/(?:api|dev)\/([\w-]+)/.exec(pathIn(route))?.[1] ?? groupOf(context)
