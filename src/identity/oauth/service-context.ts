import type { Database } from '#lib/db.ts'
import { invalid } from '#lib/errors.ts'
import type { Account } from '../accounts/accounts.ts'
import { getOrganization } from '../organizations/organizations.ts'
import { hasTotp } from '../sign-in/totp/totp.ts'
import { resolveContext } from './context.ts'
import { requireServiceByRef } from './services.ts'

interface ServiceContextInput {
  /** The id or slug of the service to sign in to. */
  service_id?: string
  context?: string
}

/** IDN-14. @throws 409 with the choices; 422 for a third-party app, which must use /sso/authorize */
export async function selectServiceContext(
  db: Database,
  account: Account,
  input: ServiceContextInput,
): Promise<Account> {
  const { user, organization } = account
  // Organizations are not disclosed before the second factor is verified.
  if (input.service_id === undefined || (await hasTotp(db, user.id))) return account
  const service = await requireServiceByRef(db, input.service_id).catch(() => {
    throw invalidService('Must be the ID or slug of a registered service.')
  })
  if (!service.firstParty) throw invalidService('Third-party apps must sign people in through /sso/authorize.')
  const id = await resolveContext(db, { principal: user, organization }, service, input.context)
  return { user, organization: id === null ? null : await getOrganization(db, user.id, id) }
}

const invalidService = (message: string) => invalid([{ path: 'service_id', message }])
