import type { DatabaseHandle } from '#lib/db.ts'
import { digest, randomToken } from '#lib/ids.ts'

const verifier = 'a-verifier-of-at-least-forty-three-characters'

/** A verifier, and its challenge as requests contain it. */
export const pkce = {
  verifier,
  promise: {
    code_challenge: new Bun.CryptoHasher('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  },
}

interface Person {
  id: string
  things: { sessions: string; organizations: string }
}

/** Inserted directly, since a minute can be over before a test uses it. */
export async function longCode({ sql }: DatabaseHandle, { id, things }: Person, serviceId: string): Promise<string> {
  const code = randomToken()
  await sql`
    INSERT INTO identity.sso_codes (hash, service_id, user_id, session_id, organization_id, redirect_uri,
      code_challenge, created_at, expires_at)
    VALUES (${digest(code)}, ${serviceId}, ${id}, ${things.sessions}, ${things.organizations},
      'http://localhost/auth/callback', ${pkce.promise.code_challenge}, now(), now() + interval '1 day')`
  return code
}
