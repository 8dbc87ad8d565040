import { z } from 'zod'
import { isGatewayUnavailable } from '#gateway'
import { auditedTransaction } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import { transact } from '#lib/db.ts'
import { conflict, notFound, Problem } from '#lib/errors.ts'
import type { ChangeCall } from '../change-call.ts'
import * as brands from '../brands/brands.ts'
import type { ConnectForm, Provider } from '../contract.ts'
import { requireNetworkAccess } from '../access.ts'
import { catalog, networkOf, type CatalogEntry } from '../networks/index.ts'
import type { ConnectCall, ConnectedAccount, Network } from '../networks/network.ts'
import { outsideOf } from '../networks/outside.ts'
import { readApps } from './apps.ts'
import * as authorizations from './authorizations.ts'
import { isChoice, storeChoice } from './choices/choices.ts'
import * as connections from './connections.ts'
import type { Account } from './connections.ts'

type ConnectingCall = ChangeCall &
  Pick<Call, 'secrets' | 'config' | 'gateway' | 'identity' | 'outbound' | 'queue' | 'request' | 'operation'>

/** For all requests to a network's servers together. */
const timeoutMs = 20_000

/** @throws {Problem} 404, 409 `provider_not_connectable`, and the network's errors about the form */
export async function connect(
  act: ConnectingCall,
  form: ConnectForm,
  isOnboarding = false,
): Promise<{ connection: Account } | { authorizeUrl: string }> {
  const { db, actor, config, secrets } = act
  const { brandId, unsavedId = null } = form
  const entry = catalog(config).find(({ provider }) => provider === form.platform)
  if (!entry) throw notFound('network')
  const { organizationId } = await brands.get(db, actor, brandId)
  const { provider, name } = entry
  requireNetworkAccess(actor, provider)
  const method = networkOf(provider)?.connect
  const signIn = signInOf(method, form)
  if (signIn) {
    const account = await signIn(form, callOf(act))
    return { connection: await store(act, { brandId, provider, account }) }
  }
  if (method?.by !== 'authorize')
    throw conflict('provider_not_connectable', `${name} can’t be connected here yet.`, { provider })
  if (method.needsApp) await requireApp(act, entry, organizationId)
  const state = authorizations.createState()
  const { authorizeUrl, pending } = await method.authorization.begin(form, {
    ...callOf(act),
    state,
    redirectUri: callbackUrl(act, provider),
    ...gatewayOf(act, organizationId),
  })
  const authorization = { state, brandId, provider, unsavedId, isOnboarding, pending }
  await transact(db, (tx) => authorizations.store(tx, secrets, actor, act.now(), authorization))
  return { authorizeUrl }
}

/** How the form itself connects the account; undefined when a consent page does. */
function signInOf(method: Network['connect'] | undefined, form: ConnectForm) {
  if (method?.by === 'form') return method.signIn
  const other = method?.by === 'authorize' ? method.form : undefined
  return other && (form[other.field] ?? '') !== '' ? other.signIn : undefined
}

/** @throws {Problem} 409 `provider_not_connectable` */
async function requireApp(
  act: ConnectingCall,
  { provider, name }: CatalogEntry,
  organizationId: string,
): Promise<void> {
  const apps = await readApps(act, organizationId)
  if (apps && !apps.has(provider))
    throw conflict(
      'provider_not_connectable',
      `${name} needs app credentials first. An administrator sets them in the gateway, under Connections.`,
      { provider },
    )
}

interface ConsentResponse {
  platform: Provider
  state?: string
  code?: string
  error?: string
  iss?: string
}

type ConnectFailure = 'denied' | 'partial' | 'no_channel' | 'other_account' | 'expired' | 'failed' | 'unavailable'

/** What a person returned with, where to, and from where they left: the composer when `unsavedId` is set, or the onboarding. */
type FinishedConnecting = (
  { connection: Account } | { choice: string } | { unconnected: ConnectFailure; missing?: string[] }
) & {
  brandId: string | null
  unsavedId: string | null
  isOnboarding: boolean
}

/** Errors of the network and conflicts are `failed`, and `unavailable` is the gateway. @throws all others */
export async function finishConnecting(
  act: ConnectingCall,
  { platform: provider, state = '', code, error, iss: issuer }: ConsentResponse,
): Promise<FinishedConnecting> {
  const { db, actor, secrets } = act
  const method = networkOf(provider)?.connect
  if (method?.by !== 'authorize') throw notFound('network')
  const authorization = await authorizations.take(db, secrets, actor, act.now(), { state, provider })
  if (!authorization) return { unconnected: 'expired', brandId: null, unsavedId: null, isOnboarding: false }
  const { brandId, unsavedId, isOnboarding, pending } = authorization
  const origin = { brandId, unsavedId, isOnboarding }
  if (isChoice(pending)) return { unconnected: 'expired', ...origin }
  const { organizationId } = await brands.get(db, actor, brandId)
  if (deniedErrors.has(error ?? '')) return { unconnected: 'denied', ...origin }
  if (error !== undefined || !code) return { unconnected: 'failed', ...origin }
  try {
    const account = await method.authorization.finish(
      { code, issuer, pending },
      { ...callOf(act), ...gatewayOf(act, organizationId) },
    )
    if ('targets' in account) return { choice: await storeChoice(act, { provider, ...account, ...origin }), ...origin }
    return { connection: await store(act, { brandId, provider, account }), ...origin }
  } catch (failure) {
    if (isGatewayUnavailable(failure)) return { unconnected: 'unavailable', ...origin }
    if (failure instanceof Problem && failure.code === 'consent_partial')
      return { unconnected: 'partial', missing: MissingScopes.parse(failure.options.members?.['missing']), ...origin }
    if (failure instanceof Problem && failure.code === 'channel_missing')
      return { unconnected: 'no_channel', ...origin }
    if (failure instanceof Problem && failure.code === 'other_account')
      return { unconnected: 'other_account', ...origin }
    if (failure instanceof Problem && [409, 502].includes(failure.status)) return { unconnected: 'failed', ...origin }
    throw failure
  }
}

const MissingScopes = z.array(z.string()).catch([])
/** The standard one, and LinkedIn’s. */
const deniedErrors = new Set(['access_denied', 'user_cancelled_login', 'user_cancelled_authorize'])

const store = (
  act: ConnectingCall,
  connected: { brandId: string; provider: Provider; account: ConnectedAccount },
): Promise<Account> => auditedTransaction(act, (tx) => connections.connect({ ...act, db: tx }, connected))

const callOf = ({ config, request, outbound }: ConnectingCall): ConnectCall => ({
  outside: outsideOf(config, request.url.origin, outbound),
  signal: AbortSignal.timeout(timeoutMs),
})

const gatewayOf = ({ gateway, identity }: ConnectingCall, organizationId: string) => ({
  organizationId,
  credentials: gateway.social,
  video: {
    client: gateway.video,
    getPayer: async () => ({ organizationId, applicationId: await identity.serviceId('platform-socialize') }),
  },
})

/** Where the consent page of a network returns to. */
export const callbackUrl = ({ config, request }: Pick<Call, 'config' | 'request'>, provider: Provider): string =>
  new URL(`/workspace/accounts/callback/${provider}`, config.PUBLIC_URL ?? request.url.origin).href
