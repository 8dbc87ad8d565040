import type { Actor } from '#lib/actor.ts'
import type { Context } from '#lib/context.ts'
import { openDatabase, type DatabaseHandle } from '#lib/db.ts'
import { unauthorized, type ProblemDocument } from '#lib/errors.ts'
import { createHandler, type Handler, type HttpDependencies } from '#lib/http.ts'
import { createLog } from '#lib/log.ts'
import { freshDatabase } from '../support/database.ts'

/** The kernel alone: the real handler with a test context, a database with a table `notes`, and a log. */
export interface Kernel {
  handle: Handler
  database: DatabaseHandle
  /** The log lines so far. */
  lines: Record<string, unknown>[]
  fetch(route: string, headers?: Record<string, string>, body?: RequestInit['body']): Promise<Response>
  /** The texts of all notes. */
  notes(): Promise<string[]>
  close(): Promise<void>
}

export const allowedOrigin = 'https://app.example.com'

/** For tests that are not about limits. */
export const unlimited = { take: async () => null, giveBack: () => {} }

/** Only this bearer token and this session are valid. */
export const known = { authorization: 'Bearer known' }
const knownSession = 'session=known'

export const actor: Actor = {
  tokenType: 'access',
  principal: { id: Bun.randomUUIDv7(), principalType: 'user' },
  credential: { kind: 'access', id: Bun.randomUUIDv7() },
  organization: null,
  permissions: new Set(['the-service.notes:read']),
  bindings: [],
  suspension: null,
  unmetRequirement: null,
  app: null,
  isSuperAdmin: false,
  service: null,
}

/** A context with only these parts. */
export const contextOf = (parts: Partial<Context>): Context => ({
  slug: 'notes',
  operations: {},
  pages: [],
  webhooks: [],
  jobs: [],
  ...parts,
})

const ShownProblem = ({ title, detail, requestId, status, whole }: ProblemDocument & { whole: boolean }) => (
  <section data-whole={String(whole)} data-request={requestId} data-status={status}>
    <h1 safe>{title}</h1>
    <p safe>{detail}</p>
  </section>
)

/** The handler for these contexts; without a database, for requests that don't reach one. */
export function kernelOf(contexts: Context[], parts: Partial<HttpDependencies> = {}): Handler {
  return createHandler({
    contexts,
    database: null as never,
    provided: {} as never, // Unused by the handlers of these tests.
    now: () => new Date(),
    log: createLog('silent'),
    https: false,
    hosts: { services: new Map(), all: new Set() },
    paths: { shared: {} },
    allowedOrigins: [allowedOrigin],
    limits: unlimited,
    trustedProxies: 0,
    authenticate: async ({ authorization, cookie }) => {
      if (authorization !== known.authorization && cookie !== knownSession) throw unauthorized()
      return actor
    },
    serviceId: async () => 'the-service',
    frame: async ({ title, content }) => (
      <html lang="en">
        <title safe>{title}</title>
        {content}
      </html>
    ),
    problem: (problem) => <ShownProblem {...problem} whole={false} />,
    problemPage: async (problem) => <ShownProblem {...problem} whole />,
    systemRoutes: new Map(),
    ...parts,
  })
}

/** The kernel with a context of these parts. */
export async function openKernel(parts: Partial<Context>, http: Partial<HttpDependencies> = {}): Promise<Kernel> {
  const fresh = await freshDatabase()
  const database = openDatabase(fresh.url, 3)
  await database.sql`CREATE TABLE notes (text text NOT NULL CHECK (text <> 'refused'))`
  const lines: Record<string, unknown>[] = []
  const log = createLog('debug', false, (line) => lines.push(JSON.parse(line)))
  const handle = kernelOf([contextOf(parts)], { database, log, ...http })
  return {
    handle,
    database,
    lines,
    fetch: (route, headers = {}, body) => {
      const [method = 'GET', path = '/'] = route.split(' ')
      return handle(new Request(`http://localhost${path}`, { method, headers, body }))
    },
    notes: async () => (await database.sql<{ text: string }[]>`SELECT text FROM notes`).map(({ text }) => text),
    close: async () => {
      await database.close()
      await fresh.drop()
    },
  }
}
