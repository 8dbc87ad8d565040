import { z } from 'zod'
import { openDatabase, type Database } from '#lib/db.ts'
import { Problem, notFound, problemDocument } from '#lib/errors.ts'
import { Id, newId } from '#lib/ids.ts'
import type { DatabaseAddress } from '#lib/postgres/pool.ts'
import { behaviorOf, setBehavior } from './behavior.ts'
import { BehaviorChange, Handle, Incoming, SandboxPost, TimelineQuery } from './contract.ts'
import { keepFile } from './files.ts'
import { brokenOff } from './broken-off.ts'
import { addressOf, forget, receive, timeline } from './timeline.ts'

export interface SandboxServer {
  url: string
  stop(): Promise<void>
}

type Answer = (db: Database, handle: string, request: Request) => Promise<Response>

/** The sandbox network's API as a process of its own: it survives any kill of the server that publishes to it. */
export function serveSandbox({ at: address, port }: { at: DatabaseAddress; port: number }): SandboxServer {
  const database = openDatabase(address)
  const at = (answer: Answer) => async (request: Request & { params: { handle: string } }) => {
    try {
      return await answer(database.db, handleIn(request.params.handle), request)
    } catch (error) {
      return refuse(error)
    }
  }
  const server = Bun.serve({
    port,
    hostname: '127.0.0.1',
    idleTimeout: 60,
    routes: {
      '/dev/sandbox/api/accounts/:handle/posts': { GET: at(list), POST: at(send) },
      '/dev/sandbox/api/accounts/:handle/posts/:postId': { DELETE: at(remove) },
      '/dev/sandbox/api/accounts/:handle/media': { POST: at(upload) },
      '/dev/sandbox/api/accounts/:handle/behavior': { GET: at(read), PUT: at(change) },
    },
    fetch: () => refuse(notFound()),
  })
  return {
    url: server.url.origin,
    stop: async () => {
      await server.stop(true)
      await database.close()
    },
  }
}

const list: Answer = async (db, handle, request) => {
  const { since } = TimelineQuery.parse(Object.fromEntries(new URL(request.url).searchParams))
  return Response.json({ items: z.array(SandboxPost).parse(await timeline(db, handle, since)) })
}

const send: Answer = async (db, handle, request) => {
  const reception = await receive(db, handle, Incoming.parse(await request.json()))
  if (reception.kind === 'silent') return untilTheClientGoes(request)
  await Bun.sleep(reception.latencyMs)
  if (reception.kind === 'refused') return refuse(reception.problem)
  if (reception.kind === 'cut') return new Response(brokenOff())
  const { post } = reception
  return Response.json({ id: post.id, url: addressOf(new URL(request.url).origin, handle, post) }, { status: 201 })
}

const remove: Answer = async (db, handle, request) => {
  const id = Id.safeParse(new URL(request.url).pathname.split('/').at(-1))
  if (!id.success) throw notFound('post')
  await forget(db, handle, id.data)
  return new Response(null, { status: 204 })
}

const upload: Answer = async (db, handle, request) =>
  Response.json(await keepFile(db, handle, await request.bytes()), { status: 201 })

const read: Answer = async (db, handle) => Response.json(await behaviorOf(db, handle))

const change: Answer = async (db, handle, request) =>
  Response.json(await setBehavior(db, handle, BehaviorChange.parse(await request.json())))

function handleIn(path: string): string {
  const handle = Handle.safeParse(path)
  if (!handle.success) throw notFound('account')
  return handle.data
}

/** At most as long as a client waits; a client that is gone hears nothing. */
function untilTheClientGoes({ signal }: Request): Promise<Response> {
  const { promise, resolve } = Promise.withResolvers<Response>()
  const timer = setTimeout(() => resolve(new Response(brokenOff())), 50_000)
  signal.addEventListener('abort', () => {
    clearTimeout(timer)
    resolve(new Response(brokenOff()))
  })
  return promise
}

function refuse(error: unknown): Response {
  const problem = problemOf(error)
  const headers = { 'content-type': 'application/problem+json', ...problem.options.headers }
  return Response.json(problemDocument(problem, newId()), { status: problem.status, headers })
}

function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (error instanceof SyntaxError) return new Problem(400, 'malformed_body', 'The body is not JSON.')
  if (!(error instanceof z.ZodError)) return new Problem(500, 'internal_error', String(error))
  return new Problem(422, 'validation_failed', error.issues.map(({ message }) => message).join(' '))
}
