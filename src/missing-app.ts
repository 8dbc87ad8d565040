import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import type { Context } from '#lib/context.ts'
import { placeOf } from '#platform'
import type { MissingApp } from '#views/shell/problem.tsx'

/** The app of a page that isn’t installed in the organization: then no role gives access. Null for installed ones. */
export async function missingAppOf(
  contexts: readonly Context[],
  { identity, request }: Pick<Call, 'identity' | 'request'>,
  actor: Actor,
): Promise<MissingApp | null> {
  if (!actor.organization) return null
  const { context } = placeOf(contexts, request.url.pathname, actor)
  const catalog = await identity.catalog(actor.organization.id).catch(() => null)
  const app = catalog?.apps.find(({ slug }) => slug === context?.slug)
  return app && !app.installed ? { name: app.name, standing: catalog?.plan?.standing } : null
}
