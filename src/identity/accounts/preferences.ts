import { eq } from 'drizzle-orm'
import { recordChange } from '#lib/audit.ts'
import type { Database } from '#lib/db.ts'
import type { Cookie } from '#lib/reply.ts'
import type { Preferences, PreferencesEdit } from '../contract.ts'
import { appSwitcherPreferences } from '../schema.ts'

export async function preferencesOf(db: Database, userId: string): Promise<Preferences> {
  const [saved] = await db.select().from(appSwitcherPreferences).where(eq(appSwitcherPreferences.userId, userId))
  return saved ? preferencesFrom(saved) : { favorites: [], hidden: [], tileSize: 'medium' }
}

/** The theme `system` removes the stored theme. */
export async function savePreferences(db: Database, userId: string, edit: PreferencesEdit): Promise<Preferences> {
  const changes = { ...edit, theme: edit.theme === 'system' ? null : edit.theme }
  const [saved] = await db
    .insert(appSwitcherPreferences)
    .values({ userId, ...changes })
    .onConflictDoUpdate({ target: appSwitcherPreferences.userId, set: { userId, ...changes } })
    .returning()
  recordChange(db, { object: 'user', id: userId })
  if (!saved) throw new Error('The preferences were not stored')
  return preferencesFrom(saved)
}

const preferencesFrom = ({
  favorites,
  hidden,
  tileSize,
  theme,
}: typeof appSwitcherPreferences.$inferSelect): Preferences => ({
  favorites,
  hidden,
  tileSize,
  ...(theme && { theme }),
})

const yearInSeconds = 365 * 24 * 3600

/** Lets the next page render with the right colors at once. */
export const themeCookie = ({ theme }: Pick<Preferences, 'theme'>): Cookie =>
  theme ? { name: 'theme', value: theme, maxAge: yearInSeconds } : { name: 'theme', value: '', maxAge: 0 }
