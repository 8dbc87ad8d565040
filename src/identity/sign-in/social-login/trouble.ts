import type { Call } from '#lib/call.ts'
import { Id } from '#lib/ids.ts'
import { findOrganizationSignIn } from '../../organizations/sso/sso.ts'
import type { Trouble, TroubleQuery } from './contract.ts'
import { configuredProviders } from './providers.ts'

export async function explainTrouble(
  call: Pick<Call, 'config' | 'db'>,
  { failure: reason, provider: id, request }: TroubleQuery,
): Promise<Trouble> {
  const configured = configuredProviders(call.config).find((each) => each.id === id)
  const provider = configured ?? (Id.safeParse(id).success ? await findOrganizationSignIn(call, { id }) : undefined)
  return { reason, name: provider?.name ?? 'your sign-in provider', request: request ?? null }
}
