import { and, desc, eq, isNotNull, sql } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { newId } from '#lib/ids.ts'
import type { Secrets } from '#lib/secrets.ts'
import { sealContext } from '#lib/secrets/sealed.ts'
import { socialApps } from '../schema.ts'

export interface SocialApp {
  clientId: string
  clientSecret: string
}

interface Place {
  provider: 'mastodon'
  host: string
}

type AppRow = typeof socialApps.$inferSelect
type Store = { db: Database; secrets: Secrets }

const contextOf = (id: string): string => sealContext(socialApps.sealedSecret, id)

const openSecret = (secrets: Secrets, { id, sealedSecret, formerTable }: AppRow): string =>
  secrets.open(sealedSecret, formerTable === null ? contextOf(id) : `${formerTable}:${id}`)

/** Newest first. */
export async function listApps({ db, secrets }: Store, { provider, host }: Place): Promise<(SocialApp & AppRow)[]> {
  const rows = await db
    .select()
    .from(socialApps)
    .where(and(eq(socialApps.provider, provider), eq(socialApps.host, host)))
    .orderBy(desc(socialApps.createdAt), desc(socialApps.id))
  return rows.map((row) => ({ ...row, clientSecret: openSecret(secrets, row) }))
}

/** Least recently checked first. */
export async function listForCheck({ db, secrets }: Store, limit: number): Promise<(SocialApp & AppRow)[]> {
  const rows = await db
    .select()
    .from(socialApps)
    .orderBy(sql`${socialApps.checkedAt} NULLS FIRST`, socialApps.id)
    .limit(limit)
  return rows.map((row) => ({ ...row, clientSecret: openSecret(secrets, row) }))
}

/** One that its server no longer knows. */
export async function deleteApp(db: Database, id: string): Promise<void> {
  await db.delete(socialApps).where(eq(socialApps.id, id))
}

/** Returns the ID of its row. */
export async function storeApp(
  { db, secrets }: Store,
  { scopes, ...place }: Place & { redirectUri: string; scopes: readonly string[] },
  { clientId, clientSecret }: SocialApp,
): Promise<string> {
  const id = newId()
  await db
    .insert(socialApps)
    .values({ ...place, id, scopes: [...scopes], clientId, sealedSecret: secrets.seal(clientSecret, contextOf(id)) })
  return id
}

/** Secrets of rows that a migration moved here are sealed for the table that they were in. */
export async function resealApps({ db, secrets }: Store): Promise<number> {
  const rows = await db.select().from(socialApps).where(isNotNull(socialApps.formerTable))
  for (const row of rows)
    await db
      .update(socialApps)
      .set({ sealedSecret: secrets.seal(openSecret(secrets, row), contextOf(row.id)), formerTable: null })
      .where(and(eq(socialApps.id, row.id), isNotNull(socialApps.formerTable)))
  return rows.length
}
