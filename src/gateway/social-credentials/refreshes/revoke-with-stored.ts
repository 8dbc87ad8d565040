import { z } from 'zod'
import type { Call } from '#lib/call.ts'
import type { TokenHolder } from '../../contract/social.ts'
import { openResponse } from './sealed-tokens.ts'
import { forgetRefreshes, listStored } from './stored.ts'

const StoredTokens = z.object({ accessToken: z.string(), refreshToken: z.string() })

/** Revokes a token, and those of a refresh that the account’s service never stored. @throws as `revoke` */
export async function revokeWithStored(
  { db, secrets }: Pick<Call, 'db' | 'secrets'>,
  { account, token }: { account?: TokenHolder | undefined; token: string },
  revoke: (token: string) => Promise<{ revoked: boolean }>,
): Promise<{ revoked: boolean }> {
  const { revoked } = await revoke(token)
  if (!account) return { revoked }
  const others: boolean[] = []
  for (const stored of await listStored(db, account.id)) {
    const { accessToken, refreshToken } = openResponse(secrets, stored, StoredTokens)
    if (accessToken === token || refreshToken === token) continue
    for (const other of [accessToken, refreshToken]) others.push((await revoke(other)).revoked)
  }
  await forgetRefreshes(db, account.id)
  return { revoked: revoked || others.includes(true) }
}
