import { decodeJwt } from 'jose'
import { z } from 'zod'
import type { Database } from '#lib/db.ts'
import { unauthorized } from '#lib/errors.ts'
import { Id } from '#lib/ids.ts'
import { spentServiceTokens } from '../../schema.ts'

const Claims = z.object({ jti: Id, exp: z.number() })

/** A recorded request can’t be replayed. @throws 401 for the second use */
export async function consumeServiceToken(db: Database, token: string): Promise<void> {
  const { jti, exp } = Claims.parse(decodeJwt(token))
  const [used] = await db
    .insert(spentServiceTokens)
    .values({ jti, expiresAt: new Date(exp * 1000) })
    .onConflictDoNothing()
    .returning()
  if (!used) throw unauthorized('This service token was already used. Get a new one for each signed request.')
}
