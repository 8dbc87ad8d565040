import type { Stripe } from 'stripe'
import { conflict, invalid, type Problem } from '#lib/errors.ts'
import { PaymentAccountKey } from '../contract/payments.ts'
import { resolveCredential } from '../credentials/resolve.ts'
import { accountKeyOf, type AccountCall } from './account.ts'
import { paymentCredential, practiceCredential } from './credential.ts'
import { rejectedKey, rejectionOf } from './problems.ts'
import { loadStripe, type StripeCredential } from './stripe.ts'

interface Payer {
  organizationId: string | null
  test: boolean
}

/** For what the platform bills itself, whatever account the organization has. */
const platformAccount = 'platform'

/** The account that a request is for; null for the one that new payments are made at. @throws {Problem} 422 */
export function accountIn(headers: Headers): string | null {
  const named = headers.get('X-Payment-Account')
  if (named === null || named === platformAccount) return named
  const parsed = PaymentAccountKey.safeParse(named)
  if (parsed.success) return parsed.data
  throw invalid([{ path: 'X-Payment-Account', message: 'Must be the accountKey of a payment account.' }])
}

/**
 * Without an account, the credential that new payments are made with; for `platform`, the platform’s own. With one, only a credential of its level whose key
 * is of this account: what was made at one account is never read or changed at another.
 *
 * @throws {Problem} 409 `provider_account_changed` before anything is sent, 422 `credential_missing`
 */
export async function chooseCredential(
  call: AccountCall,
  payer: Payer,
  account: string | null,
): Promise<StripeCredential> {
  if (account === null) return paymentCredential(call, payer)
  if (account === platformAccount) return paymentCredential(call, { ...payer, organizationId: null })
  const stored = await credentialAt(call, payer, account)
  if (!stored) throw accountChanged(account)
  const [newest, older] = (await readKeys(call, stored)).filter(({ accountKey }) => accountKey === account)
  if (!newest) throw accountChanged(account)
  return { ...newest.credential, ...(older && { old: older.credential }) }
}

/** Of the credential that new payments are made with. @throws {Problem} of the provider */
export async function currentAccountKey(call: AccountCall, credential: StripeCredential): Promise<string> {
  const [newest] = await readKeys(call, credential)
  return newest.accountKey
}

/** By the level that the account has. */
async function credentialAt(
  call: AccountCall,
  { organizationId, test }: Payer,
  account: string,
): Promise<StripeCredential | null> {
  const level = account.slice(0, account.indexOf(':'))
  if (level === 'practice') return call.config.offlineHelps ? practiceCredential(call.config) : null
  const owner = level === 'organization' ? organizationId : null
  const found = await resolveCredential(call, { provider: 'stripe', organizationId: owner, test })
  return found?.level === level ? found : null
}

interface Key {
  accountKey: string
  credential: StripeCredential
}

/** During a rotation two, the newest first, without one that the provider rejects. @throws {Problem} 502 for all */
async function readKeys(call: AccountCall, { old, ...newest }: StripeCredential): Promise<[Key, ...Key[]]> {
  const Sdk = await loadStripe()
  const keys: Key[] = []
  for (const credential of old ? [newest, old] : [newest]) {
    const accountKey = await keyUnlessRejected(Sdk, call, credential)
    if (accountKey !== null) keys.push({ accountKey, credential })
  }
  const [first, ...others] = keys
  if (!first) throw rejectedKey(401)
  return [first, ...others]
}

const keyUnlessRejected = (Sdk: typeof Stripe, call: AccountCall, credential: StripeCredential) =>
  accountKeyOf(call, credential).catch((error: unknown) => {
    if (rejectionOf(Sdk, error) === null) throw error
    return null
  })

const accountChanged = (account: string): Problem => {
  const [level, id] = account.split(':')
  return conflict(
    'provider_account_changed',
    level === 'organization'
      ? `This was made at your account ${id} at the payment provider, whose key is no longer stored. Nothing was sent. Add a key of this account under the organization’s credentials and try again.`
      : 'This was made at the platform’s account at the payment provider, whose key has changed. Nothing was sent. The platform’s admins have to restore it.',
  )
}
