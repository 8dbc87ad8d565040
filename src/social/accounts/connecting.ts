import { auditedTransaction } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import { transact } from '#lib/db.ts'
import { conflict, notFound } from '#lib/errors.ts'
import type { Act } from '../act.ts'
import * as brands from '../brands/brands.ts'
import type { ConnectForm, Provider } from '../contract.ts'
import { requireReach } from '../may.ts'
import { catalog, networkOf } from '../networks/index.ts'
import type { ConnectCall, SignedIn } from '../networks/network.ts'
import { outsideOf } from '../networks/outside.ts'
import * as authorizations from './authorizations.ts'
import * as connections from './connections.ts'
import type { Account } from './connections.ts'
import { appsOf } from './network-apps.ts'

type Connecting = Act & Pick<Call, 'secrets' | 'config' | 'outbound' | 'request' | 'operation'>

/** Milliseconds that a network's servers together may take. */
const patience = 20_000

/**
 * Connects an account with its form, or returns the URL of the network's consent page (SOC-05). Throws 404 for an unknown
 * network, 409 `provider_not_connectable` for one that can't be connected, and the network's errors about the form.
 */
export async function connect(
  act: Connecting,
  form: ConnectForm,
): Promise<{ connection: Account } | { authorizeUrl: string }> {
  const { db, actor, config, secrets } = act
  const { brandId } = form
  const entry = catalog(config).find(({ provider }) => provider === form.platform)
  if (!entry) throw notFound('network')
  await brands.get(db, actor, brandId)
  const { provider, name } = entry
  requireReach(actor, provider)
  const way = networkOf(provider)?.connect
  if (way?.by === 'form') {
    const account = await way.signIn(form, callOf(act))
    return { connection: await keep(act, { brandId, provider, account }) }
  }
  if (way?.by !== 'authorize')
    throw conflict('provider_not_connectable', `${name} can't be connected here yet.`, { provider })
  const state = authorizations.newState()
  const apps = appsOf(db, secrets, provider)
  const begun = await way.authorization.begin(form, {
    ...callOf(act),
    state,
    redirectUri: callback(act, provider),
    apps,
  })
  const { authorizeUrl, kept } = begun
  await transact(db, (tx) => authorizations.begin(tx, secrets, actor, act.now(), { state, brandId, provider, kept }))
  return { authorizeUrl }
}

/** What a consent page sends a person back with. */
interface Answer {
  platform: Provider
  state?: string
  code?: string
  error?: string
}

/** Why nothing was connected. */
type Unconnected = 'denied' | 'expired' | 'failed'

/**
 * Connects the account whose owner came back from the consent page. Its state is good once, for who went there.
 * Throws what the network says of the code.
 */
export async function finish(
  act: Connecting,
  { platform: provider, state = '', code, error }: Answer,
): Promise<{ connection: Account } | { unconnected: Unconnected; brandId: string | null }> {
  const { db, actor, secrets } = act
  const way = networkOf(provider)?.connect
  if (way?.by !== 'authorize') throw notFound('network')
  const begun = await authorizations.take(db, secrets, actor, act.now(), { state, provider })
  if (!begun) return { unconnected: 'expired', brandId: null }
  const { brandId, kept } = begun
  await brands.get(db, actor, brandId)
  if (error === 'access_denied') return { unconnected: 'denied', brandId }
  if (error !== undefined || !code) return { unconnected: 'failed', brandId }
  const account = await way.authorization.finish({ code, kept }, callOf(act))
  return { connection: await keep(act, { brandId, provider, account }) }
}

const keep = (act: Connecting, made: { brandId: string; provider: Provider; account: SignedIn }): Promise<Account> =>
  auditedTransaction(act, (tx) => connections.connect({ ...act, db: tx }, made))

const callOf = ({ config, request, outbound }: Connecting): ConnectCall => ({
  outside: outsideOf(config, request.url.origin, outbound),
  signal: AbortSignal.timeout(patience),
})

/** Our page that consent pages of a network lead back to. */
const callback = ({ config, request }: Connecting, provider: Provider): string =>
  new URL(`/workspace/accounts/callback/${provider}`, config.PUBLIC_URL ?? request.url.origin).href
