import { desc, eq } from 'drizzle-orm'
import { isAccountChanged } from '#gateway'
import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { Problem } from '#lib/errors.ts'
import { orderPayments, settlements, subscriptions } from '../schema.ts'
import type { EndpointRow } from './secrets.ts'

/** Everything that works on endpoints, in requests and jobs. */
export type EndpointWork = Pick<Call, 'db' | 'gateway' | 'secrets' | 'config' | 'now' | 'log'>

export type EndpointAccount = Pick<EndpointRow, 'organizationId' | 'provider' | 'mode' | 'accountKey'>

/** Staging only has the sandbox. */
export const isTest = ({ ATRIUM_ENV }: EndpointWork['config']): boolean => ATRIUM_ENV === 'staging'

/**
 * The account at the provider that an organization’s payments are made with: its own or the platform’s.
 *
 * @param wanted Instead, this one @throws {Problem} 409 `provider_account_changed` without its key
 */
export async function accountOf(
  { gateway, config }: Pick<EndpointWork, 'gateway' | 'config'>,
  organizationId: string | undefined,
  wanted: string | null = null,
): Promise<EndpointAccount & { accountKey: string }> {
  const { provider, level, mode, accountKey } = await gateway.payments.getAccount({
    organizationId,
    test: isTest(config),
    ...(wanted !== null && { accountKey: wanted }),
  })
  return { organizationId: level === 'organization' ? (organizationId ?? null) : null, provider, mode, accountKey }
}

/** Whether the caller can manage it: the platform’s own account at Stripe is everyone’s. */
export const ownsAccount = ({ isSuperAdmin }: Actor, { organizationId, provider }: EndpointAccount): boolean =>
  organizationId !== null || provider !== 'stripe' || isSuperAdmin

/** @throws {Problem} 403 for the platform’s own account, which is everyone’s, unless a super admin calls */
export function requireAccountOwner(actor: Actor, account: EndpointAccount): void {
  if (ownsAccount(actor, account)) return
  throw new Problem(
    403,
    'platform_account',
    'This organization uses the platform’s account at the payment provider, which only super admins can manage. Store a key of your own for stripe under the organization’s credentials.',
  )
}

export interface Payer {
  organizationId?: string
  test: boolean
  accountKey?: string
}

/** The organization that requests to an account are made for; null when none can use it now. */
export async function payerOf(
  work: EndpointWork,
  {
    organizationId,
    mode,
    provider,
    accountKey = null,
  }: Pick<EndpointAccount, 'organizationId' | 'mode'> & Partial<EndpointAccount>,
): Promise<Payer | null> {
  if (organizationId !== null) {
    const own = await accountOf(work, organizationId, accountKey).catch(nullIfLost)
    // Without its key, its payments are made with the platform’s account.
    return own?.organizationId === organizationId ? payerFor({ ...own, mode }, organizationId) : null
  }
  for (const candidate of await recentOrganizations(work.db)) {
    const used = await accountOf(work, candidate, accountKey).catch(() => null)
    if (used?.organizationId === null && used.mode === mode && used.provider === (provider ?? used.provider))
      return payerFor(used, candidate)
  }
  return null
}

function nullIfLost(error: unknown): null {
  if (isAccountChanged(error)) return null
  throw error
}

export const payerFor = ({ provider, mode, accountKey }: EndpointAccount, organizationId?: string): Payer => ({
  ...(organizationId !== undefined && { organizationId }),
  ...(accountKey !== null && { accountKey }),
  // The practice provider has no second account.
  test: provider === 'stripe' && mode === 'test',
})

const maxRows = 200
const ownedByOrganization = eq(subscriptions.ownerType, 'organization')

/** Of the newest payments, batches and subscriptions. */
async function recentOrganizations(db: Database): Promise<Set<string>> {
  const found = await Promise.all(
    [
      { table: orderPayments, organizationId: orderPayments.organizationId, where: undefined },
      { table: settlements, organizationId: settlements.organizationId, where: undefined },
      { table: subscriptions, organizationId: subscriptions.organizationId, where: ownedByOrganization },
    ].map(({ table, organizationId, where }) =>
      db.select({ organizationId }).from(table).where(where).orderBy(desc(table.id)).limit(maxRows),
    ),
  )
  return new Set(found.flat().map(({ organizationId }) => organizationId))
}
