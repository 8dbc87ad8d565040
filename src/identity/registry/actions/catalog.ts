import { and, eq, isNotNull, notExists, or, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import type { Database } from '#lib/db.ts'
import { Id } from '#lib/ids.ts'
import { keyset, type PageOf } from '#lib/paginate.ts'
import { runningSuspension } from '../../admin/suspended.ts'
import { actions, developerApps, organizations, services, suspensions, workspaceRevocations } from '../../schema.ts'
import type { Action, ActionFilter } from './contract.ts'

const byName = keyset({ name: [actions.name, z.string()], id: [actions.id, Id] })

/** Those whose permission the caller has, by name (IDN-32). */
export async function listCallableActions(
  db: Database,
  { permissions }: Pick<Actor, 'permissions'>,
  { service, name, ...page }: z.output<typeof ActionFilter>,
): Promise<PageOf<Action>> {
  const slice = byName.slice(page)
  const held = sql.param([...permissions])
  const rows = await db
    .select({
      id: actions.id,
      service: services.slug,
      webUrl: services.webUrl,
      name: actions.name,
      summary: actions.summary,
      method: actions.method,
      path: actions.path,
      permission: actions.permission,
      inputSchema: actions.inputSchema,
    })
    .from(actions)
    .innerJoin(services, eq(services.id, actions.serviceId))
    .where(
      and(
        sql`${actions.serviceId} || '.' || ${actions.permission} = ANY(${held}::text[])`,
        service === undefined ? undefined : eq(services.slug, service),
        name === undefined ? undefined : eq(actions.name, name),
        notExists(inactiveDeveloperApps(db)),
        slice.where,
      ),
    )
    .orderBy(...slice.order)
    .limit(slice.limit)
  return slice.page(rows.map(actionOf))
}

/** Apps of a suspended or revoked developer organization offer no actions (IDN-34). */
const inactiveDeveloperApps = (db: Database) =>
  db
    .select({ id: developerApps.id })
    .from(developerApps)
    .innerJoin(organizations, eq(organizations.id, developerApps.organizationId))
    .leftJoin(suspensions, runningSuspension)
    .leftJoin(workspaceRevocations, eq(workspaceRevocations.organizationId, organizations.id))
    .where(
      and(
        eq(developerApps.serviceId, actions.serviceId),
        or(isNotNull(suspensions.id), isNotNull(workspaceRevocations.organizationId)),
      ),
    )

/** `origin` is null for actions of this server. */
const actionOf = ({ webUrl, ...action }: Omit<Action, 'origin'> & { webUrl: string | null }): Action => ({
  ...action,
  origin: webUrl && URL.canParse(webUrl) ? new URL(webUrl).origin : null,
})
