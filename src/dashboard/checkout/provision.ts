import { Problem } from '#lib/errors.ts'
import type { JobDependencies } from '#lib/job.ts'
import { publicUrlOfJob } from '#lib/public-url.ts'
import { termsOf } from './entitlement.ts'
import type { CheckoutRow } from './rows.ts'

type Work = Pick<JobDependencies, 'identity' | 'config'>

/** Where people begin. */
export const destinationOf = async ({ identity }: Pick<Work, 'identity'>) => ({
  serviceId: await identity.serviceId('platform-dashboard-api'),
  redirectUri: '/dashboard',
})

export type Provisioned =
  | { outcome: 'made'; organizationId: string; personId: string }
  | { outcome: 'account_exists' }
  | { outcome: 'refused'; problem: string }

/** Makes the account, the organization and its entitlement; a repetition finds them. @throws {Problem} 503 */
export async function provision(work: Work, row: CheckoutRow): Promise<Provisioned> {
  const { email, organizationName, personId } = row
  if (personId === null) throw new Error('A checkout has no account')
  const here = work.config.PUBLIC_URL === undefined ? new URL(publicUrlOfJob('/', work.config)).origin : null
  try {
    const { orgId, userId } = await work.identity.provision(
      {
        email,
        workspaceName: organizationName,
        accountId: personId,
        entitlement: termsOf(row.package, row.seats),
        ...(await destinationOf(work)),
      },
      here,
    )
    return { outcome: 'made', organizationId: orgId, personId: userId }
  } catch (error) {
    if (!(error instanceof Problem) || (error.status !== 403 && error.status !== 409)) throw error
    return error.code === 'account_exists' ? { outcome: 'account_exists' } : { outcome: 'refused', problem: error.code }
  }
}
