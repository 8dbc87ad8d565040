import type { Provided } from '#lib/call.ts'
import type { DatabaseHandle } from '#lib/db.ts'
import { digest, newId } from '#lib/ids.ts'
import { totp } from './totp.ts'

/** What stands ready for whoever shows a second factor. */
export interface Factors {
  /** Of somebody who owes the code of `code`. */
  challenge: string
  /** What the authenticator app shows now, theirs and the one that a resident has begun with. */
  code(): string
}

const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

/** Begins with an authenticator app for a resident, and lets a new person stop halfway through signing in. */
export async function prepareFactors(
  { sql }: DatabaseHandle,
  { secrets }: Pick<Provided, 'secrets'>,
  residentId: string,
): Promise<Factors> {
  const [id, begun, confirmed, challenge] = [newId(), newId(), newId(), newId()]
  const seal = (row: string) => secrets.seal(secret, `identity.totp_authenticators:${row}`)
  await sql`INSERT INTO identity.users (id, email, name, created_at) VALUES (${id}, 'tess@example.com', 'Tess', now())`
  await sql`
    INSERT INTO identity.totp_authenticators (id, user_id, sealed_secret, created_at, confirmed_at, last_step)
    VALUES (${begun}, ${residentId}, ${seal(begun)}, now(), NULL, NULL),
      (${confirmed}, ${id}, ${seal(confirmed)}, now(), now(), 0)`
  await sql`
    INSERT INTO identity.sign_in_challenges (token_hash, user_id, method, created_at, expires_at)
    VALUES (${digest(challenge)}, ${id}, 'password', now(), now() + interval '10 minutes')`
  return { challenge, code: () => totp(secret) }
}
