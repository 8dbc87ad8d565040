import { createWidgetLoader } from '#dashboard'
import { readConfig, type Config } from '#config'
import type { Actor, Role } from '#lib/actor.ts'
import type { Provided } from '#lib/call.ts'
import { openDatabase, type DatabaseHandle } from '#lib/db.ts'
import { invalid, notFound } from '#lib/errors.ts'
import { openEvents } from '#lib/events.ts'
import { createHandler, type Handler } from '#lib/http.ts'
import { newId } from '#lib/ids.ts'
import { createLog } from '#lib/log.ts'
import { createIdentityClient } from '#identity'
import { social } from '#social'
import { freshDatabase } from '../support/database.ts'
import { unlimited } from '../lib/kernel.tsx'

/** Social alone, over HTTP with its own database, without publishing: posts stay unchanged. */
export interface SocialServer {
  database: DatabaseHandle
  /** Published events, oldest first. */
  news: { topic: string; payload: Record<string, unknown> }[]
  /** A person with an organization; identity is simulated. */
  person(options?: PersonOptions): Person
  /** Suspends the organization of a person. */
  suspend(person: Pick<Person, 'organizationId'>): void
  /** Removes a person from their organization; their token stops working. */
  remove(person: Pick<Person, 'id'>): void
  /** As `remove`, right after identity listed them among the holders of a permission. */
  removeListed(person: Pick<Person, 'id'>): void
  close(): Promise<void>
}

type ServerOptions = Partial<Pick<Config, 'offlineHelps'>> & { pages?: boolean }

interface PersonOptions {
  organization?: Actor['organization']
  permissions?: string[]
  /** The brands that they reach, each with the permissions there; all without any. */
  limits?: BrandLimit[]
  /** An API key of theirs instead. */
  key?: 'live' | 'test'
}

interface BrandLimit {
  brandId: string
  permissions: string[]
}

export interface Person {
  id: string
  organization: Actor['organization']
  organizationId: string
  fetch<Answer>(route: string, body?: unknown, headers?: Record<string, string>): Promise<ApiResponse<Answer>>
  send(route: string, body?: unknown, headers?: Record<string, string>): Promise<Response>
  /** Requests it as htmx does, and returns the HTML without nonces. */
  draw(route: string, body?: unknown): Promise<string>
}

export interface ApiResponse<Answer> {
  status: number
  headers: Headers
  body: Answer
}

/** The fields of a problem that tests read. */
export interface ProblemBody {
  code: string
  detail: string
  allowed: string[]
  errors: { path: string; message: string }[]
  yours: { version: number; text: string }
  current: { version: number; text: string }
}

const everyPermission = ['posts:read', 'posts:write', 'accounts:read', 'accounts:write', 'brands:write']
const service = '00000000-0000-4000-8000-000000000001'

/** Opens it; with `offlineHelps: false` as in staging, and with `pages` also for browsers. */
export async function openSocialServer({ pages = false, ...settings }: ServerOptions = {}): Promise<SocialServer> {
  const fresh = await freshDatabase()
  const database = openDatabase(fresh.url, 4)
  const events = await openEvents(database)
  const actors = new Map<string, Actor>()
  const suspended = new Set<string>()
  const news: SocialServer['news'] = []
  const publish: typeof events.publish = (db, topic, payload) => {
    news.push({ topic, payload })
    return events.publish(db, topic, payload)
  }
  // These operations use no secrets, mail or outside calls, and their messages to identity are dropped.
  const unused = null as never
  const queue: Provided['queue'] = {
    enqueue: async () => {},
    replay: async () => undefined,
    work: async () => {},
    settings: () => undefined,
    settles: () => false,
    stop: async () => {},
  }
  const away = () => Promise.reject(new Error('Identity is away'))
  const beyond = {
    identity: {
      ...createIdentityClient({ fetch: away, baseUrl: 'http://localhost' }),
      serviceId: async () => service,
      isSuspended: async (organizationId: string) => suspended.has(organizationId),
      permissionHolders: async (organizationId: string, _: string, permission: string) =>
        [...actors.values()].flatMap(({ principal, organization, permissions }) =>
          organization?.id === organizationId && permissions.has(`${service}.${permission}`)
            ? [{ id: principal.id, role: organization.role }]
            : [],
        ),
      proveSecondFactor: async (_: string, code: string) => {
        if (code !== '123456') throw invalid([{ path: 'code', message: 'Incorrect or already used code.' }])
      },
      memberActor: async (organizationId: string, userId: string) => {
        const member = actors.get(`Bearer ${userId}`)
        if (member?.organization?.id !== organizationId) throw notFound('member')
        return member
      },
    },
    validate: unused,
    actionSync: unused,
    secrets: unused,
    queue,
    mail: unused,
    log: unused,
    dns: unused,
    outbound: unused,
    storage: unused,
    live: unused,
    gateway: { social: { apps: { list: async () => [] } } } as unknown as Provided['gateway'],
    upstreams: unused,
    budgets: unused,
    emailConnections: unused,
    ledger: unused,
    usageMonitor: unused,
    usageQueue: null,
    monitorRequest: () => {},
    countBrands: unused,
    keepers: unused,
    onboardingSteps: unused,
    takeAction: null,
    servicesHere: new Set<string>(),
    widgets: createWidgetLoader({ read: async () => null }),
    widgetTopics: {},
    takeEvent: null,
    webhookEvents: [],
    notificationKinds: [],
    requirementsOf: () => [],
    dashboard: null,
    subscriptions: unused,
    ownNames: unused,
    hosts: unused,
    keyUses: unused,
  }
  const config = { ...readConfig({ ATRIUM_ENV: 'test' }), ...settings }
  const provided: Provided = { config, events: { ...events, publish }, ...beyond }
  const handle = handlerOf(database, provided, { actors, pages })
  return {
    database,
    news,
    person: ({ organization = newOrganization(), permissions = everyPermission, limits = [], key } = {}) => {
      const actor = { ...actorOf(organization, permissions), ...(key && keyOf(key)), bindings: limits.map(bindingOf) }
      actors.set(`Bearer ${actor.principal.id}`, actor)
      return personOf(handle, actor)
    },
    suspend: ({ organizationId }) => void suspended.add(organizationId),
    remove: ({ id }) => void actors.delete(`Bearer ${id}`),
    removeListed: ({ id }) => {
      const actor = actors.get(`Bearer ${id}`)
      if (actor) actors.set(`removed ${id}`, actor)
      actors.delete(`Bearer ${id}`)
    },
    close: async () => {
      await events.close()
      await database.close()
      await fresh.drop()
    },
  }
}

interface Callers {
  actors: ReadonlyMap<string, Actor>
  pages: boolean
}

const handlerOf = (database: DatabaseHandle, provided: Provided, { actors, pages }: Callers): Handler =>
  createHandler({
    contexts: [{ ...social, pages: pages ? social.pages : [] }],
    database,
    provided,
    now: () => new Date(),
    log: createLog('silent'),
    https: false,
    hosts: { services: new Map(), all: new Set() },
    paths: { shared: {} },
    allowedOrigins: [],
    limits: unlimited,
    trustedProxies: 0,
    authenticate: async ({ authorization = '' }) => {
      const actor = actors.get(authorization)
      if (!actor) throw new Error('Unknown bearer token')
      return actor
    },
    serviceId: async () => service,
    frame: async ({ content }) => content,
    problem: ({ detail }) => detail,
    problemPage: async ({ detail }) => detail,
    systemRoutes: new Map(),
  })

const bindingOf = ({ brandId, permissions }: BrandLimit) => ({
  kind: 'brand',
  id: brandId,
  permissions: new Set(permissions.map((permission) => `${service}.${permission}`)),
})

const keyOf = (mode: 'live' | 'test') => ({
  tokenType: 'api_key' as const,
  credential: { kind: 'api_key' as const, id: newId(), test: mode === 'test' },
})

const newOrganization = (role: Role = 'owner') => ({ id: newId(), slug: 'acme', role })

const actorOf = (organization: Actor['organization'], permissions: string[]): Actor => ({
  tokenType: 'access',
  principal: { id: newId(), principalType: 'user' },
  credential: { kind: 'access', id: newId() },
  organization,
  permissions: new Set(permissions.map((permission) => `${service}.${permission}`)),
  bindings: [],
  suspension: null,
  unmetRequirement: null,
  app: null,
  isSuperAdmin: false,
  service: null,
})

const personOf = (handle: Handler, { principal, organization }: Actor): Person => {
  const send = (route: string, body?: unknown, headers: Record<string, string> = {}) => {
    const [method = '', path = ''] = route.split(' ')
    return handle(
      new Request(`http://localhost${path}`, {
        method,
        headers: { authorization: `Bearer ${principal.id}`, 'content-type': 'application/json', ...headers },
        ...(body !== undefined && { body: body instanceof URLSearchParams ? String(body) : JSON.stringify(body) }),
      }),
    )
  }
  return {
    id: principal.id,
    send,
    organization,
    organizationId: organization?.id ?? '',
    async fetch(route, body, headers) {
      const response = await send(route, body, headers)
      const text = await response.text()
      return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : null }
    },
    async draw(route, body) {
      const response = await send(route, body, { 'hx-request': 'true' })
      return (await response.text()).replaceAll(/ hx-nonce="[^"]*"/g, '')
    },
  }
}
