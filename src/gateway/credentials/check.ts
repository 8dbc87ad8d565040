import type { Call } from '#lib/call.ts'
import { conflict } from '#lib/errors.ts'
import type { StoredCredentialCheck } from '../contract/credentials.ts'
import { updateCredentialAction } from './actions.ts'
import type { Checker } from './checker.ts'
import { checkOf, isCheckable } from './checks.ts'
import type { CredentialRow } from './credentials.ts'
import { storeHealth } from './health.ts'
import { openCredential, type SealedKey } from './resolve.ts'

type Caller = Checker & Pick<Call, 'secrets'>

/** Asks the provider and stores the result. @throws {Problem} 409 where credentials of this kind have no check */
export async function checkCredential(
  call: Caller & Pick<Call, 'db' | 'now'>,
  row: CredentialRow,
): Promise<StoredCredentialCheck> {
  if (!isCheckable(row.provider))
    throw conflict('check_unavailable', `Credentials for ${row.provider} can’t be checked. They are checked by use.`)
  const error = await findFault(call, row)
  const check = { healthy: error === null, checkedAt: call.now(), error }
  await storeHealth(call.db, row.id, check)
  await updateCredentialAction(call.db, row, error)
  return check
}

/** Null when the provider accepts the credential, or when there is no check for it. */
export async function findFault(call: Caller, row: SealedKey): Promise<string | null> {
  const find = checkOf(row.provider)
  return find ? find(call, openCredential(call.secrets, row)) : null
}
