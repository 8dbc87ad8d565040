import { digest } from '#lib/ids.ts'
import type { World } from '../support/world.ts'

interface Doom {
  /** Cancels the deletion. */
  token?: string
  /** Until it is final; negative once it is. */
  days?: number
}

/** Inserts a person with this id whose account is to be deleted. */
export async function addDoomedAccount(
  { database: { sql } }: World,
  id: string,
  { token, days = 30 }: Doom = {},
): Promise<void> {
  await sql`INSERT INTO identity.users (id, email, name, created_at) VALUES (${id}, ${`${id}@example.com`}, 'Gone', now())`
  await sql`
    INSERT INTO identity.account_deletions (user_id, requested_at, deletes_at, cancel_token_hash, cancel_expires_at)
    VALUES (${id}, now() - interval '31 days', now() + ${days} * interval '1 day', ${token ? digest(token) : null},
      CASE WHEN ${Boolean(token)} THEN now() + interval '1 hour' END)`
}
