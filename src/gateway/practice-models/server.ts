import { guard, queryOf, refuse } from '#lib/counterpart.ts'
import { notFound } from '#lib/errors.ts'
import { createMemoryBehaviors } from './behavior.ts'
import { BehaviorChange, BehaviorScope, PracticeModelRequestList, PracticeModelsBehavior } from './contract.ts'
import { basePath } from './paths.ts'
import { providerEndpoints } from './provider-endpoints.ts'
import { respond, type PracticeProvider } from './provider.ts'
import { createReceivedRequests } from './received.ts'

export interface ModelsServer {
  url: string
  stop(): Promise<void>
}

type Handle = (request: Request & { params: Record<string, string> }) => Promise<Response>

/** The practice models as a process of their own, which survives when tests kill the servers that call them. */
export function serveModels({ port }: { port: number }): ModelsServer {
  const provider: PracticeProvider = { behaviors: createMemoryBehaviors(), received: createReceivedRequests() }
  const routes: Record<string, Record<string, Handle>> = {
    '/dev/models/behavior': { GET: guard(readBehavior(provider)), PUT: guard(changeBehavior(provider)) },
    '/dev/models/api/requests': { GET: guard(listRequests(provider)) },
  }
  for (const endpoint of providerEndpoints)
    routes[basePath + endpoint.path] = {
      [endpoint.method]: (request) =>
        respond(provider, endpoint, { request, params: request.params, signal: request.signal, now: new Date() }),
    }
  const server = Bun.serve({
    port,
    hostname: '127.0.0.1',
    idleTimeout: 60,
    routes,
    fetch: () => refuse(notFound()),
    error: refuse,
  })
  return { url: server.url.origin, stop: () => server.stop(true) }
}

const readBehavior =
  ({ behaviors }: PracticeProvider): Handle =>
  async (request) =>
    Response.json(await behaviors.get(BehaviorScope.parse(queryOf(request))))

const changeBehavior =
  ({ behaviors }: PracticeProvider): Handle =>
  async (request) => {
    const { model, apiKey, ...behavior } = BehaviorChange.strict().parse(await request.json())
    return Response.json(await behaviors.set({ model, apiKey }, PracticeModelsBehavior.parse(behavior)))
  }

const listRequests =
  ({ received }: PracticeProvider): Handle =>
  async (request) =>
    Response.json(PracticeModelRequestList.parse({ items: received.list(queryOf(request)['apiKey']) }))
