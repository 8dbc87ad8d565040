import { eq, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { recordChange } from '#lib/audit.ts'
import type { Database } from '#lib/db.ts'
import type { Cookie } from '#lib/reply.ts'
import { formatsCookie, formatsCookieValue, timeFormatsFrom, type TimeFormats } from '#lib/time.ts'
import type { AppPreferences, Preferences, PreferencesEdit } from '../contract.ts'
import { appSwitcherPreferences } from '../schema.ts'

export async function preferencesOf(db: Database, userId: string): Promise<Preferences> {
  const [saved] = await db.select().from(appSwitcherPreferences).where(eq(appSwitcherPreferences.userId, userId))
  return saved ? preferencesFrom(saved) : { favorites: [], hidden: [], tileSize: 'medium' }
}

/** `system` removes the stored choice. */
export async function savePreferences(db: Database, userId: string, edit: PreferencesEdit): Promise<Preferences> {
  const changes = {
    ...edit,
    theme: edit.theme === 'system' ? null : edit.theme,
    timeZone: edit.timeZone === 'system' ? null : edit.timeZone,
    hourCycle: edit.hourCycle === 'system' ? null : edit.hourCycle,
  }
  const [saved] = await db
    .insert(appSwitcherPreferences)
    .values({ userId, ...changes })
    .onConflictDoUpdate({ target: appSwitcherPreferences.userId, set: { userId, ...changes } })
    .returning()
  recordChange(db, { object: 'user', id: userId })
  if (!saved) throw new Error('The preferences were not stored')
  return preferencesFrom(saved)
}

/** One app among the favorites and hidden ones; at once with other changes of the same person. */
export async function savePreferencesOfApp(
  db: Database,
  userId: string,
  { id, favorite, hidden }: AppPreferences,
): Promise<Preferences> {
  const { favorites, hidden: hiddenApps } = appSwitcherPreferences
  const [saved] = await db
    .insert(appSwitcherPreferences)
    .values({ userId, favorites: favorite ? [id] : [], hidden: hidden ? [id] : [] })
    .onConflictDoUpdate({
      target: appSwitcherPreferences.userId,
      set: {
        userId,
        ...(favorite !== undefined && { favorites: changed(favorites, id, favorite) }),
        ...(hidden !== undefined && { hidden: changed(hiddenApps, id, hidden) }),
      },
    })
    .returning()
  recordChange(db, { object: 'user', id: userId })
  if (!saved) throw new Error('The preferences were not stored')
  return preferencesFrom(saved)
}

/** A favorite keeps its place. */
const changed = (list: PgColumn, id: string, isIn: boolean) =>
  isIn
    ? sql`CASE WHEN ${id}::uuid = ANY (${list}) THEN ${list} ELSE array_append(${list}, ${id}::uuid) END`
    : sql`array_remove(${list}, ${id}::uuid)`

const preferencesFrom = ({
  favorites,
  hidden,
  tileSize,
  theme,
  timeZone,
  language,
  hourCycle,
}: typeof appSwitcherPreferences.$inferSelect): Preferences => ({
  favorites,
  hidden,
  tileSize,
  ...(theme && { theme }),
  ...(timeZone && { timeZone }),
  ...(language && { language }),
  ...(hourCycle && { hourCycle }),
})

const yearInSeconds = 365 * 24 * 3600

/** Cookies that let the next page render with the right colors and formats without a query. */
export const preferenceCookies = ({ theme, timeZone, language, hourCycle }: Preferences): Cookie[] => [
  cookie('theme', theme ?? ''),
  cookie(formatsCookie, formatsCookieValue({ zone: timeZone, language, hourCycle })),
]

/** The formats of a browser with these preferences. */
export const preferredFormats = (
  { timeZone: zone, language, hourCycle }: Preferences,
  cookies: ReadonlyMap<string, string>,
): TimeFormats => timeFormatsFrom(cookies, { zone, language, hourCycle })

const cookie = (name: string, value: string): Cookie => ({ name, value, maxAge: value ? yearInSeconds : 0 })
