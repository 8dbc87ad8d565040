import { guard, queryOf, refuse } from '#lib/counterpart.ts'
import { openDatabase, type Database } from '#lib/db.ts'
import { notFound } from '#lib/errors.ts'
import type { DatabaseAddress } from '#lib/postgres/pool.ts'
import { listHeldVideos } from './api/store.ts'
import { getBehavior, setBehavior } from './behavior.ts'
import { BehaviorScope, PracticeVideoBehavior, ProjectQuery, VideoBehaviorChange } from './contract.ts'
import { basePath } from './paths.ts'
import { respond, videoEndpoints } from './provider.ts'
import { getQuota } from './quota.ts'
import { stateOf } from './state.ts'

export interface VideoServer {
  url: string
  stop(): Promise<void>
}

type Handle = (request: Request) => Promise<Response>

const maxBodyBytes = 256 * 1024 ** 3

/** The practice video provider as a process of its own, which survives when tests kill the servers that call it. */
export function serveVideo({ at, port }: { at: DatabaseAddress; port: number }): VideoServer {
  const database = openDatabase(at)
  const routes = routesOf(database.db)
  const server = Bun.serve({
    port,
    hostname: '127.0.0.1',
    idleTimeout: 60,
    maxRequestBodySize: maxBodyBytes,
    routes,
    fetch: () => refuse(notFound()),
    error: refuse,
  })
  return {
    url: server.url.origin,
    stop: async () => {
      await server.stop(true)
      await database.close()
    },
  }
}

function routesOf(db: Database): Record<string, Record<string, Handle>> {
  const routes: Record<string, Record<string, Handle>> = {
    '/dev/video/behavior': {
      GET: guard(async (request) => Response.json(await getBehavior(db, readScope(request).project))),
      PUT: guard(async (request) => {
        const { project, ...behavior } = VideoBehaviorChange.strict().parse(await request.json())
        return Response.json(await setBehavior(db, project, PracticeVideoBehavior.parse(behavior)))
      }),
    },
    '/dev/video/api/videos': {
      GET: guard(async (request) => Response.json({ items: await listHeldVideos(db, readScope(request).project) })),
    },
    '/dev/video/api/requests': {
      GET: guard(async (request) => Response.json({ items: stateOf(db).received.list(readScope(request).project) })),
    },
    '/dev/video/api/quota': {
      GET: guard(async (request) =>
        Response.json(await getQuota(db, ProjectQuery.parse(queryOf(request)).project, new Date())),
      ),
    },
  }
  for (const endpoint of videoEndpoints) {
    const methods = (routes[basePath + endpoint.path] ??= {})
    methods[endpoint.method] = (request) =>
      respond(endpoint, { db, request, signal: request.signal, now: () => new Date() })
  }
  return routes
}

const readScope = (request: Request) => BehaviorScope.parse(queryOf(request))
