import type { Database } from '#lib/db.ts'
import { invalid } from '#lib/errors.ts'
import type { Account } from '../accounts.ts'
import { findOrganization } from '../organizations.ts'
import { hasTotp } from '../totp/totp.ts'
import { contextFor } from './context.ts'
import { serviceOf } from './services.ts'

interface Wish {
  /** The id or slug of the service that is signed in to. */
  service_id?: string
  context?: string
}

/**
 * An account in a context that has the service which is signed in to (IDN-14). Throws 409 with the choices where the
 * person has to choose, and 422 for an app of others: to those one is led by /sso/authorize, never by one's password.
 */
export async function inService(db: Database, account: Account, wish: Wish): Promise<Account> {
  const { user, organization } = account
  // Who owes a second factor is told of no workspace before it is shown.
  if (wish.service_id === undefined || (await hasTotp(db, user.id))) return account
  const service = await serviceOf(db, wish.service_id).catch(() => {
    throw unfit('Must be the id or the slug of a registered service.')
  })
  if (!service.firstParty) throw unfit('This app signs people in by /sso/authorize.')
  const id = await contextFor(db, { principal: user, organization }, service, wish.context)
  return { user, organization: id === null ? null : await findOrganization(db, user.id, id) }
}

const unfit = (message: string) => invalid([{ path: 'service_id', message }])
