import { and, eq, inArray, ne, notInArray, sql } from 'drizzle-orm'
import { recordChange } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { conflict, notFound, Problem } from '#lib/errors.ts'
import { digest, newId } from '#lib/ids.ts'
import { actions, actionSets, servicePermissions, services } from '../../schema.ts'
import type { ActionDefinition, ActionSync } from './contract.ts'

interface Owner {
  serviceId: string
  app: string
}

/** IDN-33. @throws {Problem} 404, 422 `undeclared_permission` naming each action, 409 for a name of another set */
export async function syncActions({ db, now }: Pick<Call, 'db' | 'now'>, input: ActionSync) {
  const service = await lockService(db, input)
  const owner: Owner = { serviceId: service.id, app: input.app }
  await requireDeclaredPermissions(db, service, input.actions)
  await requireFreeNames(db, owner, input.actions)
  const changed = await replaceSet(db, owner, input.actions, now())
  return { ...owner, service: service.slug, count: input.actions.length, changed }
}

async function lockService(db: Database, { service, serviceId }: ActionSync) {
  const [found] = await db
    .select({ id: services.id, slug: services.slug })
    .from(services)
    .where(serviceId ? eq(services.id, serviceId) : eq(services.slug, service ?? ''))
    .for('no key update')
  if (!found) throw notFound('service')
  return found
}

async function requireDeclaredPermissions(
  db: Database,
  { id, slug }: { id: string; slug: string },
  definitions: ActionDefinition[],
) {
  const rows = await db
    .select({ permission: servicePermissions.permission })
    .from(servicePermissions)
    .where(eq(servicePermissions.serviceId, id))
  const declared = new Set(rows.map(({ permission }) => permission))
  const errors = definitions.flatMap(({ name, permission }, at) =>
    declared.has(permission)
      ? []
      : [
          {
            path: `actions.${at}.permission`,
            message: `${name}: ${slug} doesn’t declare the permission ${permission}.`,
          },
        ],
  )
  if (errors.length === 0) return
  const detail = `Nothing was synced. ${errors.map(({ message }) => message).join(' ')}`
  throw new Problem(422, 'undeclared_permission', detail, { errors })
}

/** Names are unique within a service, across its apps: callers use them. */
async function requireFreeNames(
  db: Database,
  { serviceId, app }: Owner,
  definitions: ActionDefinition[],
): Promise<void> {
  const names = definitions.map(({ name }) => name)
  const taken = await db
    .select({ name: actions.name })
    .from(actions)
    .where(and(eq(actions.serviceId, serviceId), ne(actions.app, app), inArray(actions.name, names)))
  if (taken.length === 0) return
  const list = taken.map(({ name }) => name).join(', ')
  throw conflict('action_name_taken', `Other apps already have actions with these names on this service: ${list}.`)
}

/** Returns whether anything changed. An action that keeps its name keeps its id. */
async function replaceSet(
  db: Database,
  owner: Owner,
  definitions: ActionDefinition[],
  syncedAt: Date,
): Promise<boolean> {
  const ofSet = and(eq(actions.serviceId, owner.serviceId), eq(actions.app, owner.app))
  const names = definitions.map(({ name }) => name)
  const [written] = await db
    .insert(actionSets)
    .values({ ...owner, digest: digestOf(definitions), syncedAt })
    .onConflictDoUpdate({
      target: [actionSets.serviceId, actionSets.app],
      set: { digest: digestOf(definitions), syncedAt },
      setWhere: ne(actionSets.digest, digestOf(definitions)),
    })
    .returning()
  if (!written) return false
  const before = await db.select({ name: actions.name }).from(actions).where(ofSet)
  await db.delete(actions).where(and(ofSet, notInArray(actions.name, names)))
  if (definitions.length > 0) await upsertActions(db, owner, definitions)
  recordChange(db, {
    object: 'service_actions',
    id: owner.serviceId,
    before: { names: before.map(({ name }) => name).sort() },
    after: { app: owner.app, names: names.sort() },
  })
  return true
}

const upsertActions = (db: Database, owner: Owner, definitions: ActionDefinition[]) =>
  db
    .insert(actions)
    .values(definitions.map((action) => ({ id: newId(), ...owner, ...action })))
    .onConflictDoUpdate({
      target: [actions.serviceId, actions.name],
      set: {
        summary: sql`excluded.summary`,
        method: sql`excluded.method`,
        path: sql`excluded.path`,
        permission: sql`excluded.permission`,
        inputSchema: sql`excluded.input_schema`,
      },
    })

/** SHA-256, independent of their order. */
export const digestOf = (definitions: { name: string }[]): string =>
  digest(JSON.stringify(definitions.toSorted((one, other) => (one.name < other.name ? -1 : 1))))
