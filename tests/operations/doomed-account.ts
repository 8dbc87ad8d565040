import { digest } from '#lib/ids.ts'
import type { World } from '../support/world.ts'

/** Inserts a person with this id whose account is to be deleted; the token cancels that. */
export async function addDoomedAccount({ database: { sql } }: World, id: string, token?: string): Promise<void> {
  await sql`INSERT INTO identity.users (id, email, name, created_at) VALUES (${id}, ${`${id}@example.com`}, 'Gone', now())`
  await sql`
    INSERT INTO identity.account_deletions (user_id, requested_at, deletes_at, cancel_token_hash, cancel_expires_at)
    VALUES (${id}, now(), now() + interval '30 days', ${token ? digest(token) : null},
      CASE WHEN ${Boolean(token)} THEN now() + interval '1 hour' END)`
}
