import type { Call } from '#lib/call.ts'
import { forbidden, invalid, notFound } from '#lib/errors.ts'
import type { z } from 'zod'
import type { StoredModelPreferences, ModelPreferencesEdit, StoredRoute } from '../contract/models.ts'
import { readSettings } from './choose.ts'
import { imageModelsOf } from './image-catalog.ts'
import { effectiveRoutes, saveAllowList, saveRoutes } from './routes.ts'
import { forgetSettings } from './settings.ts'

type Reading = Pick<Call, 'db' | 'config' | 'now' | 'actor'>

/** @throws {Problem} 404 for another organization, except for services and super admins */
export function requireOwnOrganization({ actor }: Pick<Call, 'actor'>, organizationId: string): void {
  if (actor?.organization?.id === organizationId || actor?.isSuperAdmin || actor?.tokenType === 'service') return
  throw notFound('organization')
}

export async function getPreferences(
  { db, config, now }: Reading,
  organizationId: string,
): Promise<StoredModelPreferences> {
  const { routing } = await readSettings(db, organizationId, config.offlineHelps)
  const routes = effectiveRoutes(routing)
  return {
    organizationId,
    routes,
    allowedModels: routing.allowed ? [...routing.allowed] : null,
    imageModels: imageModelsOf(routing, routes, config.offlineHelps, now()),
  }
}

/** @throws {Problem} 404; 422 for a chain with a model that the organization doesn't allow */
export async function savePreferences(
  call: Reading & { actor: NonNullable<Call['actor']> },
  { id, routes = {}, allowedModels }: z.output<typeof ModelPreferencesEdit>,
): Promise<StoredModelPreferences> {
  if (call.actor.tokenType === 'service') throw forbidden('org:admin')
  if (allowedModels !== undefined) await saveAllowList(call, id, allowedModels)
  await saveRoutes(call, id, routes)
  forgetSettings()
  const saved = await getPreferences(call, id)
  requireAllowed(saved.routes, saved.allowedModels)
  return saved
}

function requireAllowed(routes: readonly StoredRoute[], allowed: readonly string[] | null): void {
  if (allowed === null) return
  const own = routes.filter(({ setBy }) => setBy === 'organization')
  const errors = own.flatMap(({ useCase, models }) =>
    models
      .filter((model) => !allowed.includes(model))
      .map((model) => ({
        path: `routes.${useCase}`,
        message: `${model} isn’t one of the allowed models. Allow it, or remove it here.`,
      })),
  )
  if (errors.length > 0) throw invalid(errors)
}
