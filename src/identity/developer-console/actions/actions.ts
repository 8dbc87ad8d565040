import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import { recordChange } from '#lib/audit.ts'
import { brokenConstraint, type Database } from '#lib/db.ts'
import { conflict, invalid, notFound, Problem } from '#lib/errors.ts'
import { newId } from '#lib/ids.ts'
import type { ActionDefinition } from '../../registry/actions/contract.ts'
import { actionDefinitions, developerApps } from '../../schema.ts'
import type { AppActionDraft, AppActionEdit, AppActionRow, AppActionSummaryRow } from './contract.ts'
import { findApp, lockEditableApp, type DeveloperCall } from '../apps.ts'
import type { DeveloperAppRow } from '../contract.ts'

const maxActions = 200

/** @throws {Problem} 404 for an app of another organization */
export async function listActions(
  call: Pick<DeveloperCall, 'db' | 'actor'>,
  appId: string,
): Promise<AppActionSummaryRow[]> {
  await findApp(call, appId)
  return summariesOf(call.db, appId)
}

const summaryColumns = {
  id: actionDefinitions.id,
  name: actionDefinitions.name,
  version: actionDefinitions.version,
  summary: actionDefinitions.summary,
  method: actionDefinitions.method,
  path: actionDefinitions.path,
  permission: actionDefinitions.permission,
  status: actionDefinitions.status,
  approvedVersion: sql<number | null>`max(${actionDefinitions.version})
    FILTER (WHERE ${actionDefinitions.status} = 'approved') OVER (PARTITION BY ${actionDefinitions.name})`,
  createdAt: actionDefinitions.createdAt,
  approvedAt: actionDefinitions.approvedAt,
}
const columns = { ...summaryColumns, inputSchema: actionDefinitions.inputSchema }

const summariesOf = (db: Database, appId: string): Promise<AppActionSummaryRow[]> =>
  db
    .selectDistinctOn([actionDefinitions.name], summaryColumns)
    .from(actionDefinitions)
    .where(eq(actionDefinitions.appId, appId))
    .orderBy(actionDefinitions.name, desc(actionDefinitions.version))

/** Also for an app of another organization. */
export const actionsOf = (db: Database, appId: string): Promise<AppActionRow[]> =>
  db
    .selectDistinctOn([actionDefinitions.name], columns)
    .from(actionDefinitions)
    .where(eq(actionDefinitions.appId, appId))
    .orderBy(actionDefinitions.name, desc(actionDefinitions.version))

/** The last approved version of each action, which is what gets published. */
export async function approvedActions(db: Database, appId: string): Promise<ActionDefinition[]> {
  const { name, summary, method, path, permission, inputSchema } = actionDefinitions
  return db
    .selectDistinctOn([name], { name, summary, method, path, permission, inputSchema })
    .from(actionDefinitions)
    .where(and(eq(actionDefinitions.appId, appId), eq(actionDefinitions.status, 'approved')))
    .orderBy(name, desc(actionDefinitions.version))
}

/** @throws {Problem} 404, also for the id of an older version */
export async function findAction(
  call: Pick<DeveloperCall, 'db' | 'actor'>,
  appId: string,
  id: string,
): Promise<AppActionRow> {
  await findApp(call, appId)
  const { db } = call
  const name = db.select({ name: actionDefinitions.name }).from(actionDefinitions).where(eq(actionDefinitions.id, id))
  const [newest] = await db
    .select(columns)
    .from(actionDefinitions)
    .where(and(eq(actionDefinitions.appId, appId), inArray(actionDefinitions.name, name)))
    .orderBy(desc(actionDefinitions.version))
    .limit(1)
  if (newest?.id !== id) throw notFound('action')
  return newest
}

/** @throws {Problem} 404, 409 for the name or route of another action, 422 for an undeclared permission */
export async function createAction(
  call: DeveloperCall,
  { id: appId, ...definition }: AppActionDraft,
): Promise<AppActionRow> {
  const app = await lockEditableApp(call, appId)
  const others = await summariesOf(call.db, appId)
  if (others.length >= maxActions) throw conflict('too_many_actions', `An app can have at most ${maxActions} actions.`)
  if (others.some(({ name }) => name === definition.name)) throw nameTaken()
  requireValid(app, definition, others)
  return insertVersion(call, appId, { ...definition, version: 1 })
}

/** A draft in place, an approved action as its next version. @throws {Problem} as `createAction` */
export async function updateAction(call: DeveloperCall, { id: appId, actionId, ...changes }: AppActionEdit) {
  const app = await lockEditableApp(call, appId)
  const before = await findAction(call, appId, actionId)
  const { name, version, summary, method, path, permission, inputSchema } = before
  const definition = { name, summary, method, path, permission, inputSchema, ...changes }
  requireValid(
    app,
    definition,
    (await summariesOf(call.db, appId)).filter(({ id }) => id !== actionId),
  )
  if (before.status === 'approved') return insertVersion(call, appId, { ...definition, version: version + 1 })
  await call.db.update(actionDefinitions).set(definition).where(eq(actionDefinitions.id, actionId))
  return finishChange(call, appId, actionId, before)
}

/** A published app keeps the action until it is published again. @throws {Problem} 404 */
export async function deleteAction(call: DeveloperCall, appId: string, id: string): Promise<void> {
  await lockEditableApp(call, appId)
  const before = await findAction(call, appId, id)
  await call.db
    .delete(actionDefinitions)
    .where(and(eq(actionDefinitions.appId, appId), eq(actionDefinitions.name, before.name)))
  await resetToDraft(call.db, appId)
  recordChange(call.db, { object: 'app_action', id, before })
}

/** @throws {Problem} 422 naming the field: a permission that the app doesn't declare, or the route of another action */
function requireValid(
  { permissions }: DeveloperAppRow,
  { permission, method, path }: ActionDefinition,
  others: readonly AppActionSummaryRow[],
) {
  if (!permissions.some((each) => each.permission === permission))
    throw new Problem(422, 'undeclared_permission', `The app doesn’t declare the permission ${permission}.`, {
      errors: [
        {
          path: 'permission',
          message: `The app doesn’t declare the permission ${permission}. Add it to the app first.`,
        },
      ],
    })
  const other = others.find((each) => routeOf(each) === routeOf({ method, path }))
  if (other) throw invalid([{ path: 'path', message: `${other.name} already has the route ${method} ${path}.` }])
}

const routeOf = ({ method, path }: Pick<ActionDefinition, 'method' | 'path'>): string =>
  `${method} ${path.replaceAll(/:\w+/g, ':')}`

async function insertVersion(call: DeveloperCall, appId: string, definition: ActionDefinition & { version: number }) {
  const { db, actor, now } = call
  const id = newId()
  await db
    .insert(actionDefinitions)
    .values({ id, appId, ...definition, createdBy: actor.principal.id, createdAt: now() })
    .catch((error: unknown) => {
      throw brokenConstraint(error) === 'action_definitions_version' ? nameTaken() : error
    })
  return finishChange(call, appId, id)
}

async function finishChange(
  call: DeveloperCall,
  appId: string,
  id: string,
  before?: AppActionRow,
): Promise<AppActionRow> {
  await resetToDraft(call.db, appId)
  const after = await findAction(call, appId, id)
  recordChange(call.db, { object: 'app_action', id, before, after })
  return after
}

/** A changed app has to be reviewed again. */
const resetToDraft = async (db: Database, appId: string): Promise<void> => {
  await db.update(developerApps).set({ status: 'draft' }).where(eq(developerApps.id, appId))
}

const nameTaken = () =>
  new Problem(409, 'action_name_taken', 'The app already has an action with this name.', {
    errors: [{ path: 'name', message: 'The app already has an action with this name.' }],
  })
