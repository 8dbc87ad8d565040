import { and, eq, sql } from 'drizzle-orm'
import { prepared, type Database } from '#lib/db.ts'
import { notFound, Problem } from '#lib/errors.ts'
import type { Validation } from '../../contract.ts'
import { serviceAccess, services } from '../../schema.ts'
import type { KeyStore } from '../signing-keys.ts'
import { appLifetime, signAppToken, signForeignAppToken } from '../tokens.ts'
import type { AppToken } from './contract.ts'

/**
 * For the person behind a session, in its context. @throws {Problem} 403 without one, 404 for an app that isn't
 * installed
 */
export async function issueAppToken(
  store: KeyStore,
  { tokenType, principal, organization, sessionId, app: signedInTo, audience }: Validation,
  slug: string,
): Promise<AppToken> {
  const isPerson = tokenType === 'session' || tokenType === 'access'
  if (!isPerson || sessionId === null || signedInTo !== null || audience !== null) throw sessionNeeded()
  const organizationId = organization?.id ?? null
  const app = await findInstalled(store.db, slug, organizationId)
  const isCurrent = tokenType === 'session'
  const grant = { userId: principal.id, organizationId }
  const token = app.firstParty
    ? await signAppToken(store, { ...grant, sessionId, app: { slug, serviceId: app.id, isCurrent } })
    : await signForeignAppToken(store, { ...grant, serviceId: app.id })
  return { token, expiresIn: appLifetime, organizationId }
}

const sessionNeeded = () =>
  new Problem(403, 'session_required', 'Only a signed-in user gets the widgets of apps, not an API key or an app.')

async function findInstalled(db: Database, slug: string, organizationId: string | null) {
  const [app] = await installedApp(db).execute({ slug, organizationId })
  if (!app || (organizationId === null ? !app.supportedContexts.includes('personal') : app.access === null))
    throw notFound('app')
  return app
}

const installedApp = (db: Database) =>
  prepared(db, 'identity_installed_app', () =>
    db
      .select({
        id: services.id,
        firstParty: services.firstParty,
        supportedContexts: services.supportedContexts,
        access: serviceAccess.organizationId,
      })
      .from(services)
      .leftJoin(
        serviceAccess,
        and(
          eq(serviceAccess.serviceId, services.id),
          sql`${serviceAccess.organizationId} = ${sql.placeholder('organizationId')}::uuid`,
        ),
      )
      .where(eq(services.slug, sql.placeholder('slug'))),
  )
