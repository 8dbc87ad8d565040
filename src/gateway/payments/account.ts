import { and, eq, isNull } from 'drizzle-orm'
import { z } from 'zod'
import type { Call } from '#lib/call.ts'
import { Problem } from '#lib/errors.ts'
import type { Upstreams } from '../providers/upstreams.ts'
import { providerCredentials as table } from '../schema.ts'
import { problemOf } from './problems.ts'
import { createClient, loadStripe, type StripeCredential } from './stripe.ts'

export type AccountCall = Pick<Call, 'db' | 'secrets' | 'config' | 'upstreams' | 'now' | 'log'>

const AccountId = z.string().regex(/^acct_\w{1,60}$/)

/** An account of a test key has other objects than that of a live one. */
const isTestKey = ({ secret }: StripeCredential): boolean => /^[rs]k_test_/.test(secret.apiKey)

/**
 * The level and the account of a credential. The provider is asked once for each key. @throws {Problem} of the provider,
 * and the error of its client for a rejected key
 */
export async function accountKeyOf(call: AccountCall, credential: StripeCredential): Promise<string> {
  const id = credential.accountId ?? (await learnAccount(call, credential))
  return `${credential.level}:${id}${isTestKey(credential) ? ':test' : ''}`
}

/** Of the practice provider, by the connections of its server: its key has no row. */
const practiceAccounts = new WeakMap<Upstreams, string>()

async function learnAccount(call: AccountCall, credential: StripeCredential): Promise<string> {
  const { db, upstreams } = call
  const { id } = credential
  const known = id === null ? practiceAccounts.get(upstreams) : undefined
  if (known !== undefined) return known
  const accountId = await askForAccount(call, credential)
  if (id === null) practiceAccounts.set(upstreams, accountId)
  else {
    // A new key or base URL has another ID.
    await db
      .update(table)
      .set({ accountId })
      .where(and(eq(table.id, id), isNull(table.accountId)))
    await upstreams.forgetCredentials(db)
  }
  return accountId
}

async function askForAccount(call: AccountCall, credential: StripeCredential): Promise<string> {
  const Sdk = await loadStripe()
  try {
    const { id } = await createClient(Sdk, call, credential).accounts.retrieveCurrent()
    return AccountId.parse(id)
  } catch (error) {
    // Another key can be tried.
    if (error instanceof Sdk.errors.StripeAuthenticationError) throw error
    if (error instanceof Sdk.errors.StripePermissionError) throw unreadable()
    const { apiKey } = credential.secret
    throw (
      problemOf(Sdk, error, { idempotencyKey: undefined, fields: [], object: 'account', apiKey }) ??
      new Problem(502, 'provider_failed', 'Stripe’s response to GET /v1/account can’t be read.', { cause: error })
    )
  }
}

const unreadable = (): Problem =>
  new Problem(
    502,
    'provider_key_rejected',
    'The restricted key of Stripe can’t read its own account (403). Give it read access to accounts at Stripe, or replace it under the organization’s credentials.',
    { nothingDone: true },
  )
