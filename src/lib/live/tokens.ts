import { and, eq, gt } from 'drizzle-orm'
import type { Database } from '../db.ts'
import { unauthorized } from '../errors.ts'
import type { Credential } from '../http/dependencies.ts'
import { Id, newId } from '../ids.ts'
import { liveTokens } from '../schema.ts'
import type { Secrets } from '../secrets.ts'
import type { Clock } from '../time.ts'
import { z } from 'zod'

interface TokenDependencies {
  db: Database
  secrets: Secrets
  now: Clock
}

export const tokenLifetimeSeconds = 60

const Sealed = z.object({ authorization: z.string().optional(), cookie: z.string().optional() })

const contextOf = (id: string) => `platform.live_tokens:${id}`

/** Opens one live channel within 60 s. It contains the sealed credential; the database only knows that it is unused. */
export async function issueLiveToken({ db, secrets, now }: TokenDependencies, credential: Credential): Promise<string> {
  const id = newId()
  await db.insert(liveTokens).values({ id, expiresAt: new Date(now().getTime() + tokenLifetimeSeconds * 1000) })
  const { authorization, cookie } = credential
  return `${id}.${secrets.seal(JSON.stringify({ authorization, cookie }), contextOf(id))}`
}

/** Once on all servers. @throws {Problem} 401 for a malformed, expired or used token */
export async function redeemLiveToken({ db, secrets, now }: TokenDependencies, token: string): Promise<Credential> {
  const at = token.indexOf('.')
  const id = token.slice(0, at)
  const credential = Id.safeParse(id).success ? unseal(secrets, token.slice(at + 1), id) : undefined
  if (!credential) throw refused()
  const used = await db
    .delete(liveTokens)
    .where(and(eq(liveTokens.id, id), gt(liveTokens.expiresAt, now())))
    .returning({ id: liveTokens.id })
  if (used.length === 0) throw refused()
  return credential
}

function unseal(secrets: Secrets, sealed: string, id: string): Credential | undefined {
  try {
    return Sealed.parse(JSON.parse(secrets.open(sealed, contextOf(id))))
  } catch {
    return undefined
  }
}

const refused = () => unauthorized('The live token is invalid, expired or already used. Get a new one.')
