import type { Context } from '../context.ts'

export const groupOf = ({ slug, group = slug }: Pick<Context, 'slug' | 'group'>): string => group

export const pathIn = (route: string): string => route.slice(route.indexOf('/'))

export const tagOf = (context: Pick<Context, 'slug' | 'group'>, route: string): string =>
  /^\/(?:api|dev)\/([\w-]+)/.exec(pathIn(route))?.[1] ?? groupOf(context)
