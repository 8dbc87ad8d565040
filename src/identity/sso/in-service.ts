import type { Database } from '#lib/db.ts'
import { invalid } from '#lib/errors.ts'
import type { Account } from '../accounts.ts'
import { findOrganization } from '../organizations.ts'
import { hasTotp } from '../totp/totp.ts'
import { resolveContext } from './context.ts'
import { requireServiceByRef } from './services.ts'

interface ServiceContextInput {
  /** The id or slug of the service that is signed in to. */
  service_id?: string
  context?: string
}

/**
 * An account in a context that has the service which is signed in to (IDN-14). Throws 409 with the choices where the
 * person has to choose, and 422 for an app of others: to those one is led by /sso/authorize, never by one's password.
 */
export async function selectServiceContext(
  db: Database,
  account: Account,
  wish: ServiceContextInput,
): Promise<Account> {
  const { user, organization } = account
  // Who owes a second factor is told of no workspace before it is shown.
  if (wish.service_id === undefined || (await hasTotp(db, user.id))) return account
  const service = await requireServiceByRef(db, wish.service_id).catch(() => {
    throw invalidService('Must be the id or the slug of a registered service.')
  })
  if (!service.firstParty) throw invalidService('This app signs people in by /sso/authorize.')
  const id = await resolveContext(db, { principal: user, organization }, service, wish.context)
  return { user, organization: id === null ? null : await findOrganization(db, user.id, id) }
}

const invalidService = (message: string) => invalid([{ path: 'service_id', message }])
