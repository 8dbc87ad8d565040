import { and, eq } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { notificationPreferences } from '../../schema.ts'

export type PreferencesRow = Omit<
  typeof notificationPreferences.$inferSelect,
  'id' | 'organizationId' | 'personId' | 'createdAt' | 'updatedAt'
>

const everyDay = [1, 2, 3, 4, 5, 6, 7]

/** Of people who changed nothing. */
export const defaultPreferences: PreferencesRow = {
  email: true,
  push: true,
  choices: {},
  frequency: 'immediate',
  dailyAt: '09:00',
  timeZone: null,
  quietHours: false,
  quietFrom: '20:00',
  quietUntil: '07:00',
  quietDays: everyDay,
  version: 0,
}

export interface Owner {
  organizationId: string
  personId: string
}

export const ofOwner = ({ organizationId, personId }: Owner) =>
  and(eq(notificationPreferences.organizationId, organizationId), eq(notificationPreferences.personId, personId))

export async function findPreferences(db: Database, owner: Owner): Promise<PreferencesRow> {
  const [row] = await db.select().from(notificationPreferences).where(ofOwner(owner))
  return row ?? defaultPreferences
}
