import type { Context } from './context.ts'

/** The id of a context's service in this environment; empty for one that isn't in the registry, since no permission begins with it. */
export const serviceIdOf = async (
  { slug, registered }: Pick<Context, 'slug' | 'registered'>,
  serviceId: (slug: string) => Promise<string>,
): Promise<string> => (registered === false ? '' : serviceId(slug))
