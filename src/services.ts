import {
  createAssertedTokens,
  createIdentityClient,
  createLocalIdentity,
  onRevocation,
  syncOwnActions,
  createTokensByCaller,
  type ServiceTokens,
} from '#identity'
import { createGatewayClient, createUpstreams, imagesTimeoutMsOf, openGateway } from '#gateway'
import { createRequirementsOf, createWidgetLoader, createWidgetReader, website } from '#dashboard'
import { createDashboardClient, createSubscriptionsClient } from '#payments'
import { takerOf } from '#platform'
import { countBrands } from '#social'
import { everyService, type Config } from '#config'
import type { Provided } from '#lib/call.ts'
import type { Context } from '#lib/context.ts'
import type { DatabaseHandle } from '#lib/db.ts'
import type { Events } from '#lib/events.ts'
import { logFault } from '#lib/log/fault.ts'
import type { Handler } from '#lib/http.ts'
import type { Log } from '#lib/log.ts'
import { createOutbound, type Outbound } from '#lib/outbound.ts'
import { offeredEvents } from '#lib/outgoing-webhooks/event.ts'
import { requireNoTransaction } from '#lib/outside-calls.ts'
import type { Queue } from '#lib/queue.ts'
import type { Secrets } from '#lib/secrets.ts'
import type { Clock } from '#lib/time.ts'
import { contexts } from './contexts.ts'

interface ServiceParts {
  config: Config
  chosen: readonly Context[]
  log: Log
  database: DatabaseHandle
  events: Events
  queue: Queue
  secrets: Secrets
  now: Clock
  outbound: Outbound
  handle: Handler
}

export async function openServices(parts: ServiceParts) {
  const { serviceTokens, ...ofIdentity } = await openIdentity(parts)
  return {
    ...ofIdentity,
    ...openGateway(parts),
    gateway: createGatewayClient({
      ...reachGateway(parts),
      serviceTokens,
      caller: outboxOf(parts.config),
      imagesTimeoutMs: imagesTimeoutMsOf(parts.config),
      paymentsTimeoutMs: 2 * parts.config.PAYMENTS_TIMEOUT_MS + 10_000,
    }),
    dashboard: reachDashboard(parts, serviceTokens?.('platform-pay')),
    subscriptions: createSubscriptionsClient({
      ...reachPayments(parts),
      serviceTokens: serviceTokens?.('platform-dashboard-api'),
    }),
    servicesHere: new Set(parts.chosen.map(({ slug }) => slug)),
    widgets: createWidgetLoader({
      read: createWidgetReader({
        identity: ofIdentity.identity,
        handle: async (request) => parts.handle(request),
        outbound: parts.outbound,
        trusted: createOutbound({ allowPrivate: true }),
        allowsHttp: parts.config.ALLOW_PRIVATE_NETWORK,
      }),
    }),
    countBrands: parts.config.SERVICES.includes('social') ? countBrands : async () => null,
    keepers: keepersOf(parts.config),
    upstreams: createUpstreams(parts),
    widgetTopics: Object.fromEntries(
      parts.chosen.flatMap(({ slug, widgetTopics }) => (widgetTopics ? [[slug, widgetTopics]] : [])),
    ),
    onboardingSteps: parts.chosen
      .flatMap(({ onboarding = [] }) => onboarding)
      .toSorted((one, other) => one.rank - other.rank),
    webhookEvents: offeredEvents(Object.values(contexts)),
    notificationKinds: Object.values<Context>(contexts).flatMap(({ notificationKinds = [] }) => notificationKinds),
    // Those of this process include the platform's.
    requirementsOf: createRequirementsOf([...new Set([...Object.values(contexts), website, ...parts.chosen])]),
    takeEvent: parts.chosen.find(({ takeEvent }) => takeEvent)?.takeEvent ?? null,
    takeAction: takerOf(parts.config, parts.chosen, serviceTokens?.(callerOf(parts.config))),
  }
}

const keepersOf = ({ SERVICES }: Config): Provided['keepers'] =>
  everyService
    .filter((name) => name !== 'identity' && contexts[name].erasureJob)
    .map((name) => {
      const { slug, erasesLast = false } = contexts[name]
      return { slug, here: SERVICES.includes(name), last: erasesLast }
    })

export const onRevokedAccess = onRevocation

/** Where identity runs, updates the actions of all services, also of those in other processes, to this release. */
export async function syncActions(
  { config, secrets, now }: Pick<ServiceParts, 'config' | 'secrets' | 'now'>,
  { db }: Pick<DatabaseHandle, 'db'>,
  handle: Handler,
): Promise<void> {
  if (!config.SERVICES.includes('identity')) return
  await syncOwnActions({ db, secrets, now }, handle, Object.values(contexts))
}

function fetchFromIdentity(request: Request): Promise<Response> {
  requireNoTransaction('Identity')
  return fetch(request)
}

/** For calls where it doesn't matter which of its services calls. */
const callerOf = ({ SERVICES }: Config): string =>
  contexts[SERVICES.find((name) => name !== 'identity') ?? 'identity'].slug

/** Which service hands over emails. */
const outboxOf = (config: Config): string =>
  config.SERVICES.includes('identity') ? contexts.identity.slug : callerOf(config)

/** Directly in this process, else over the network. */
const reachGateway = ({ config, handle }: Pick<ServiceParts, 'config' | 'handle'>) =>
  config.SERVICES.includes('gateway')
    ? { fetch: async (request: Request) => handle(request), baseUrl: 'http://localhost' }
    : { fetch, baseUrl: config.NEXUS_GATEWAY_URL ?? null }

/** The same. */
const reachPayments = ({ config, handle }: Pick<ServiceParts, 'config' | 'handle'>) =>
  config.SERVICES.includes('payments')
    ? { fetch: async (request: Request) => handle(request), baseUrl: 'http://localhost', isHere: true }
    : { fetch, baseUrl: config.PAY_APP_URL ?? null, isHere: false }

/** Null without one, in this process or elsewhere. */
function reachDashboard(
  { config, chosen, handle }: Pick<ServiceParts, 'config' | 'chosen' | 'handle'>,
  serviceToken: ServiceTokens | undefined,
) {
  const isHere = chosen.some(({ slug }) => slug === 'platform-dashboard-website')
  const baseUrl = isHere ? 'http://localhost' : config.DASHBOARD_URL
  if (baseUrl === undefined || !serviceToken) return null
  const send = isHere ? async (request: Request) => handle(request) : fetch
  return createDashboardClient({ fetch: send, baseUrl, serviceToken })
}

/** The same as the gateway. */
async function openIdentity({
  config,
  log,
  database,
  events,
  secrets,
  handle,
  now,
}: Omit<ServiceParts, 'chosen' | 'queue'>) {
  const caller = callerOf(config)
  if (!config.SERVICES.includes('identity')) {
    const baseUrl = config.AUTH_API_URL ?? ''
    const key = config.SERVICE_KEY
    if (!key)
      log.warn(
        'SERVICE_KEY is not set. Without it, identity can’t report whether organizations are suspended, so no posts are published.',
      )
    const serviceTokens =
      key && createTokensByCaller((slug) => createAssertedTokens({ slug, key, baseUrl, fetch: fetchFromIdentity, now }))
    const identity = createIdentityClient({ fetch: fetchFromIdentity, baseUrl, caller, serviceTokens })
    const keyUses = { note: () => {}, flush: async () => {} }
    const elsewhere = () => Promise.reject(new Error('Identity runs in another process'))
    return { identity, keyUses, serviceTokens, validate: elsewhere, actionSync: elsewhere }
  }
  const { client, validate, keyUses, serviceTokens, actionSync } = createLocalIdentity({
    config,
    events,
    secrets,
    now,
    db: database.db,
    fetch: (request) => handle(request),
    caller,
    onError: (error) => logFault(log, 'API key uses', error),
  })
  // A SECRETS_KEY that doesn't fit the database fails the start, not the first sign-in.
  await serviceTokens(caller)('platform-identity')
  return { identity: client, validate, keyUses, serviceTokens, actionSync }
}
