import { eq } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import type { StoredCredentialCheck } from '../contract/credentials.ts'
import { providerCredentials as table } from '../schema.ts'

/** The last result, by a check or by use. An ID that was replaced in the meantime changes nothing. */
export async function storeHealth(db: Database, id: string, check: StoredCredentialCheck): Promise<void> {
  const { healthy, checkedAt, error } = check
  await db
    .update(table)
    .set({ health: healthy ? 'healthy' : 'unhealthy', lastError: error, checkedAt })
    .where(eq(table.id, id))
}
