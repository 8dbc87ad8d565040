import type { Call } from '#lib/call.ts'
import { notFound, Problem } from '#lib/errors.ts'
import { Id } from '#lib/ids.ts'
import { reply } from '#lib/reply.ts'
import { findSsoProvider } from '../../organizations/sso/sso.ts'
import { createTransaction } from './oauth-transaction.ts'
import { ProviderFailure, type Provider } from './provider.ts'
import { configuredProviders, protocols } from './providers.ts'

/** @throws 404 */
export async function findProvider(call: Call, id: string): Promise<Provider> {
  const configured = configuredProviders(call.config).find((each) => each.id === id)
  const provider = configured ?? (Id.safeParse(id).success ? await findSsoProvider(call, id) : undefined)
  if (!provider) throw notFound('sign-in provider')
  return provider
}

/** Returns the provider’s URL, and the cookie that identifies the browser. @throws 404; 502 */
export async function startSocialLogin(call: Call, id: string, input: { userId: string | null; next?: string }) {
  const provider = await findProvider(call, id)
  const { transaction, cookie } = await createTransaction(call, provider, input)
  const url = await protocols[provider.kind].authorizeUrl(provider, transaction, call).catch((cause: unknown) => {
    throw cause instanceof ProviderFailure ? providerUnreachable(provider, cause) : cause
  })
  return reply(200, { authorizeUrl: url.href }, { cookies: [cookie], next: url.href })
}

const providerUnreachable = ({ name }: Provider, cause: unknown) =>
  new Problem(502, 'provider_unreachable', `Couldn’t reach ${name}. Try again later, or sign in another way.`, {
    cause,
  })
