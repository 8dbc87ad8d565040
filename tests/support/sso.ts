import type { DatabaseHandle } from '#lib/db.ts'
import { digest, randomToken } from '#lib/ids.ts'

const verifier = 'a-verifier-that-nobody-else-could-have-thought-of'

/** A verifier, and its challenge as it stands in requests. */
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

/** Made by hand, since a minute may be over before a test comes to it. */
export async function longCode({ sql }: DatabaseHandle, { id, things }: Person, serviceId: string): Promise<string> {
  const code = randomToken()
  await sql`
    INSERT INTO identity.sso_codes (hash, service_id, user_id, session_id, organization_id, redirect_uri,
      code_challenge, created_at, expires_at)
    VALUES (${digest(code)}, ${serviceId}, ${id}, ${things.sessions}, ${things.organizations},
      'http://localhost/auth/callback', ${pkce.promise.code_challenge}, now(), now() + interval '1 day')`
  return code
}
