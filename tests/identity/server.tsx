import { createWidgetLoader } from '#dashboard'
import { createLocalIdentity, identity, type IdentityClient } from '#identity'
import { readConfig } from '#config'
import { openDatabase, type DatabaseHandle } from '#lib/db.ts'
import { createDns } from '#lib/dns.ts'
import { openEvents, type Events } from '#lib/events.ts'
import { createHandler, type Handler } from '#lib/http.ts'
import { createLog } from '#lib/log.ts'
import { createMail, type KeptMail } from '#lib/mail.ts'
import type { Provided } from '#lib/call.ts'
import { createOutbound } from '#lib/outbound.ts'
import { requestLimits } from '#lib/postgres/pool.ts'
import { createSecrets, type Secrets } from '#lib/secrets.ts'
import { unlimited } from '../lib/kernel.tsx'
import { hostsOf } from '../../src/hosts.ts'
import { freshDatabase } from '../support/database.ts'
import { scaleTime } from '../support/time-scale.ts'
import { mailsIn } from '../support/world.ts'

/** Identity alone on a database, as one of possibly several servers. */
export interface IdentityServer {
  handle: Handler
  client: IdentityClient
  database: DatabaseHandle
  events: Events
  secrets: Secrets
  provided: Provided
  clock: { ahead: number; stoppedAt?: number }
  /** The mails to an address, newest first. */
  mails(to: string): Promise<KeptMail[]>
  fetch(route: string, body?: unknown, headers?: Record<string, string>): Promise<Response>
  stop(): Promise<void>
}

const key = new Uint8Array(32).fill(7)

/** Starts identity; `clock.ahead` moves its time by milliseconds, from now or from `clock.stoppedAt`. */
export async function startIdentity(url: string, env: Record<string, string> = {}): Promise<IdentityServer> {
  const config = readConfig({ ATRIUM_ENV: 'test', ...env })
  const waitMs = scaleTime(requestLimits.queueMs)
  const database = openDatabase(url, 5, { ...requestLimits, queueMs: waitMs, lockMs: waitMs })
  const events = await openEvents(database)
  const secrets = createSecrets(key)
  const clock: IdentityServer['clock'] = { ahead: 0 }
  const now = () => new Date((clock.stoppedAt ?? Date.now()) + clock.ahead)
  const store = { db: database.db, secrets, now }
  const fetch = (request: Request) => handle(request)
  const onError = (error: unknown) => {
    throw error
  }
  const shared = { config, events, fetch, onError, caller: 'platform-socialize' }
  const { client, validate, keyUses, actionSync } = createLocalIdentity({ ...store, ...shared })
  const outbound = createOutbound({ allowPrivate: true })
  // Without a mail server mails are kept in the database; identity enqueues nothing else and keeps no files.
  const queue = null as never
  const log = createLog('silent')
  const mail = createMail({ config, secrets, queue, log })
  const beyond = {
    queue,
    mail,
    storage: null as never,
    live: null as never,
    gateway: null as never,
    upstreams: null as never,
    budgets: null as never,
    emailConnections: null as never,
    ledger: null as never,
    usageMonitor: null as never,
    usageQueue: null,
    monitorRequest: () => {},
    keepers: [],
    onboardingSteps: [],
    takeAction: null,
    servicesHere: new Set<string>(),
    widgets: createWidgetLoader({ read: async () => null }),
    widgetTopics: {},
    takeEvent: null,
    webhookEvents: [],
    notificationKinds: [],
    requirementsOf: () => [],
    dashboard: null,
    subscriptions: null as never,
    countBrands: async () => null,
    ownNames: new Set<string>(),
    hosts: hostsOf(config),
    log,
    dns: createDns(config.DNS_RESOLVER ?? '127.0.0.1:1'),
  }
  const provided: Provided = {
    config,
    secrets,
    events,
    outbound,
    identity: client,
    validate,
    keyUses,
    actionSync,
    ...beyond,
  }
  const handle: Handler = createHandler({
    contexts: [identity],
    database,
    provided,
    now,
    log,
    https: config.PUBLIC_URL?.startsWith('https:') ?? false,
    hosts: { services: new Map(), all: new Set() },
    paths: { shared: {} },
    allowedOrigins: [],
    limits: unlimited,
    trustedProxies: 0,
    authenticate: client.validate,
    serviceId: client.serviceId,
    frame: async ({ content }) => content,
    problem: ({ detail }) => <p safe>{detail}</p>,
    problemPage: async ({ detail }) => <p safe>{detail}</p>,
    systemRoutes: new Map(),
  })
  return {
    handle,
    client,
    provided,
    database,
    events,
    secrets,
    clock,
    mails: mailsIn(database, mail),
    fetch: (route, body, headers = {}) => handle(requestOf(route, body, headers)),
    stop: async () => {
      await events.close()
      await database.close()
    },
  }
}

/** Identity alone, with a database at `url` that is dropped when it stops. */
export async function openIdentity(env?: Record<string, string>): Promise<IdentityServer & { url: string }> {
  const database = await freshDatabase()
  const server = await startIdentity(database.url, env)
  const stop = async () => {
    await server.stop()
    await database.drop()
  }
  return { ...server, url: database.url, stop }
}

function requestOf(route: string, body: unknown, headers: Record<string, string>): Request {
  const [method = 'GET', path = ''] = route.split(' ')
  const url = `http://localhost${path}`
  if (body === undefined) return new Request(url, { method, headers })
  return new Request(url, {
    method,
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  })
}

/** The response fields that tests read. */
interface Answer {
  id: string
  user: { id: string; email: string }
  organization: { id: string; slug: string; role: string; name: string }
  organizations: unknown[]
  principal: { principalServices: string[] }
  permissions: string[]
  expiresAt: string
  accessToken: string
  refreshToken: string
  expiresIn: number
  items: Record<string, unknown>[]
  keys: [{ kid: string; x: string }]
  errors: [{ path: string }]
}

export const json = async (response: Response) => (await response.json()) as Answer

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
