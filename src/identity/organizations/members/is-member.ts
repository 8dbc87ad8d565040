import { and, eq } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { memberships } from '../../schema.ts'

export const isMember = async (db: Database, organizationId: string, userId: string): Promise<boolean> =>
  (await db.$count(memberships, and(eq(memberships.organizationId, organizationId), eq(memberships.userId, userId)))) >
  0
