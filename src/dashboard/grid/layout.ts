import { and, eq, inArray, sql, type SQL } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { recordChange } from '#lib/audit.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Database } from '#lib/db.ts'
import { versionConflict } from '#lib/errors.ts'
import type { Clock } from '#lib/time.ts'
import { layouts } from '../schema.ts'
import { readDashboardSettings } from '../settings/store.ts'
import type { DashboardLayout, PlacedWidget } from './contract.ts'

/** First in a layout that its owner hasn’t arranged: they fill a row together. */
export const usualLayout: readonly PlacedWidget[] = [
  { app: 'platform-socialize', columns: 5, hidden: false },
  { app: 'platform-pay', columns: 4, hidden: false },
  { app: 'platform-dashboard-api', columns: 3, hidden: false },
]

const placeUsually = (app: string): PlacedWidget =>
  usualLayout.find((widget) => widget.app === app) ?? { app, columns: 4, hidden: false }

interface LayoutOwner {
  organizationId: string
  personId: string
}

/** An API key, an app and a service have no layout of their own. */
const hasOwnLayout = ({ tokenType, app }: Actor): boolean =>
  tokenType !== 'api_key' && tokenType !== 'service' && app === null

const ownedBy = ({ organizationId, personId }: LayoutOwner): SQL | undefined =>
  and(eq(layouts.personId, personId), eq(layouts.organizationId, organizationId))

/** Of the installed apps, new ones at the end: the reader’s own, the organization’s, or the usual one. */
export async function readLayout(db: Database, actor: Actor, installed: readonly string[]): Promise<DashboardLayout> {
  const organizationId = organizationOf(actor, 'dashboard:read')
  const owner = { organizationId, personId: actor.principal.id }
  const [own] = hasOwnLayout(actor) ? await db.select().from(layouts).where(ownedBy(owner)) : []
  const widgets = own?.widgets ?? (await readDefaultLayout(db, organizationId))
  return { widgets: arrange(widgets, installed), version: own?.version ?? 0 }
}

async function readDefaultLayout(db: Database, organizationId: string): Promise<readonly PlacedWidget[]> {
  return (await readDashboardSettings(db, organizationId))?.widgets ?? usualLayout
}

export function arrange(widgets: readonly PlacedWidget[], installed: readonly string[]): PlacedWidget[] {
  const known = widgets.filter(({ app }) => installed.includes(app))
  const added = installed.filter((app) => !known.some((widget) => widget.app === app))
  return [...known, ...added.map(placeUsually)]
}

interface Saving extends LayoutOwner {
  widgets: PlacedWidget[]
  /** The stored layout must have one of these; null without a condition. */
  versions: readonly number[] | null
}

/** @throws {Problem} 409 `version_conflict` */
export async function saveLayout(tx: Database, now: Clock, saving: Saving): Promise<DashboardLayout> {
  const [saved] = await writeLayout(tx, now(), saving)
  if (!saved) throw versionConflict('this layout', saving.versions ?? [], await readVersion(tx, saving))
  recordChange(tx, { object: 'dashboard_layout', id: saved.id, after: { widgets: saved.widgets } })
  return { widgets: saved.widgets, version: saved.version }
}

async function readVersion(tx: Database, owner: LayoutOwner): Promise<number> {
  const [row] = await tx.select({ version: layouts.version }).from(layouts).where(ownedBy(owner))
  return row?.version ?? 0
}

/** Its owner sees the default again. Idempotent. */
export async function deleteLayout(tx: Database, owner: LayoutOwner): Promise<void> {
  const [deleted] = await tx.delete(layouts).where(ownedBy(owner)).returning()
  if (deleted) recordChange(tx, { object: 'dashboard_layout', id: deleted.id, before: { widgets: deleted.widgets } })
}

function writeLayout(tx: Database, updatedAt: Date, { versions, widgets, ...owner }: Saving) {
  const changes = { widgets, updatedAt, version: sql`${layouts.version} + 1` }
  const expected = versions ? inArray(layouts.version, [...versions]) : undefined
  if (versions && !versions.includes(0))
    return tx
      .update(layouts)
      .set(changes)
      .where(and(ownedBy(owner), expected))
      .returning()
  return tx
    .insert(layouts)
    .values({ ...owner, widgets, updatedAt })
    .onConflictDoUpdate({ target: [layouts.personId, layouts.organizationId], set: changes, setWhere: expected })
    .returning()
}
