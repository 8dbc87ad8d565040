import { desc } from 'drizzle-orm'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { orderPayments, settlements } from '../schema.ts'
import type { EndpointRow } from './secrets.ts'

/** Everything that works on endpoints, in requests and jobs. */
export type EndpointWork = Pick<Call, 'db' | 'gateway' | 'secrets' | 'config' | 'now' | 'log'>

export type EndpointAccount = Pick<EndpointRow, 'organizationId' | 'provider' | 'mode'>

/** Staging only has the sandbox. */
export const isTest = ({ ATRIUM_ENV }: EndpointWork['config']): boolean => ATRIUM_ENV === 'staging'

/** The account at the provider that an organization’s payments are made with: its own or the platform’s. */
export async function accountOf(
  { gateway, config }: Pick<EndpointWork, 'gateway' | 'config'>,
  organizationId: string,
): Promise<EndpointAccount> {
  const { provider, level, mode } = await gateway.payments.getAccount({ organizationId, test: isTest(config) })
  return { organizationId: level === 'organization' ? organizationId : null, provider, mode }
}

export interface Payer {
  organizationId: string
  test: boolean
}

/** The organization that requests to an account are made for; null when none has used the platform’s. */
export async function payerOf(
  work: EndpointWork,
  { organizationId, mode, provider }: Omit<EndpointAccount, 'provider'> & Partial<EndpointAccount>,
): Promise<Payer | null> {
  if (organizationId !== null) return { organizationId, test: mode === 'test' }
  for (const candidate of await recentOrganizations(work.db)) {
    const used = await accountOf(work, candidate).catch(() => null)
    if (used?.organizationId === null && used.mode === mode && used.provider === (provider ?? used.provider))
      return payerFor(used, candidate)
  }
  return null
}

export const payerFor = ({ provider, mode }: EndpointAccount, organizationId: string): Payer => ({
  organizationId,
  // The practice provider has no second account.
  test: provider === 'stripe' && mode === 'test',
})

const maxRows = 200

/** Of the newest payments and batches. */
async function recentOrganizations(db: Database): Promise<Set<string>> {
  const found = await Promise.all(
    [orderPayments, settlements].map((table) =>
      db.select({ organizationId: table.organizationId }).from(table).orderBy(desc(table.id)).limit(maxRows),
    ),
  )
  return new Set(found.flat().map(({ organizationId }) => organizationId))
}
