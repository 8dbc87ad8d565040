import { z } from 'zod'
import type { Call } from '#lib/call.ts'
import { Id } from '#lib/ids.ts'
import { findOrganizationSignIn } from '../../organizations/sso/sso.ts'
import { ProviderId } from './contract.ts'
import { failures, type Failure } from './provider.ts'
import { configuredProviders } from './providers.ts'

/** Query parameters with which `finishSocialLogin` explains a failure. */
export const troubleQuery = {
  upstream: z.enum(failures).optional().catch(undefined),
  provider: ProviderId.optional().catch(undefined),
  request: Id.optional().catch(undefined),
}

export interface Trouble {
  reason: Failure
  /** The provider's name. */
  name: string
  /** Id of the failed request, for the log. */
  request?: string
}

/** The failure in a page’s query; undefined without one. */
export async function findTrouble(
  call: Pick<Call, 'config' | 'db'>,
  { upstream: reason, provider: id, request }: { upstream?: Failure; provider?: string; request?: string },
): Promise<Trouble | undefined> {
  if (!reason) return undefined
  const configured = configuredProviders(call.config).find((each) => each.id === id)
  const provider = configured ?? (Id.safeParse(id).success ? await findOrganizationSignIn(call, { id }) : undefined)
  return { reason, name: provider?.name ?? 'your sign-in provider', request }
}
