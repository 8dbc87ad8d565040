import { and, eq, inArray, sql } from 'drizzle-orm'
import { recordChange } from '#lib/audit.ts'
import type { Database } from '#lib/db.ts'
import { versionConflict } from '#lib/errors.ts'
import type { Clock } from '#lib/time.ts'
import { dashboardSettings, type StoredWidget } from '../schema.ts'

type Row = typeof dashboardSettings.$inferSelect

/** Undefined until an admin changes them. */
export async function readDashboardSettings(db: Database, organizationId: string): Promise<Row | undefined> {
  const [row] = await db.select().from(dashboardSettings).where(eq(dashboardSettings.organizationId, organizationId))
  return row
}

interface Saving {
  organizationId: string
  /** Null for the usual layout. */
  widgets: StoredWidget[] | null
  /** The stored settings must have one of these; null without a condition. */
  versions: readonly number[] | null
}

/** @throws {Problem} 409 `version_conflict` */
export async function saveDashboardSettings(tx: Database, now: Clock, saving: Saving): Promise<Row> {
  const { organizationId, widgets } = saving
  const before = await readDashboardSettings(tx, organizationId)
  const saved = await writeSettings(tx, now(), saving)
  if (!saved) throw versionConflict('the default layout', saving.versions ?? [], before?.version ?? 0)
  recordChange(tx, {
    object: 'dashboard_settings',
    id: organizationId,
    before: { widgets: before?.widgets ?? null },
    after: { widgets },
  })
  return saved
}

async function writeSettings(tx: Database, updatedAt: Date, { organizationId, widgets, versions }: Saving) {
  const changes = { widgets, updatedAt, version: sql`${dashboardSettings.version} + 1` }
  const expected = versions ? inArray(dashboardSettings.version, [...versions]) : undefined
  const isOwn = eq(dashboardSettings.organizationId, organizationId)
  if (versions && !versions.includes(0)) {
    const [updated] = await tx.update(dashboardSettings).set(changes).where(and(isOwn, expected)).returning()
    return updated
  }
  const [saved] = await tx
    .insert(dashboardSettings)
    .values({ organizationId, widgets, updatedAt })
    .onConflictDoUpdate({ target: dashboardSettings.organizationId, set: changes, setWhere: expected })
    .returning()
  return saved
}
