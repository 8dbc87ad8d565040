import { z } from 'zod'
import { openDatabase, type Database } from '#lib/db.ts'
import { Problem, notFound, problemDocument } from '#lib/errors.ts'
import { Id, newId } from '#lib/ids.ts'
import type { DatabaseAddress } from '#lib/postgres/pool.ts'
import { getBehavior, setBehavior } from './behavior.ts'
import { BehaviorChange, Handle, Incoming, SandboxPost, TimelineQuery } from './contract.ts'
import { createBrokenStream } from './broken-stream.ts'
import { storeFile } from './files.ts'
import { deletePost, listReadable, postUrl, receivePost } from './timeline.ts'

export interface SandboxServer {
  url: string
  stop(): Promise<void>
}

type Respond = (db: Database, handle: string, request: Request) => Promise<Response>

/** The sandbox network's API as a process of its own, which survives when tests kill the server that publishes to it. */
export function serveSandbox({ at: address, port }: { at: DatabaseAddress; port: number }): SandboxServer {
  const database = openDatabase(address)
  const at = (respond: Respond) => async (request: Request & { params: { handle: string } }) => {
    try {
      return await respond(database.db, parseHandle(request.params.handle), request)
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
      '/dev/sandbox/api/accounts/:handle/behavior': { GET: at(readBehavior), PUT: at(changeBehavior) },
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

const list: Respond = async (db, handle, request) => {
  const { since } = TimelineQuery.parse(Object.fromEntries(new URL(request.url).searchParams))
  return Response.json({ items: z.array(SandboxPost).parse(await listReadable(db, handle, since)) })
}

const send: Respond = async (db, handle, request) => {
  const reception = await receivePost(db, handle, Incoming.parse(await request.json()))
  if (reception.kind === 'silent') return waitForClient(request)
  await Bun.sleep(reception.latencyMs)
  if (reception.kind === 'refused') return refuse(reception.problem)
  if (reception.kind === 'cut') return new Response(createBrokenStream())
  const { post } = reception
  return Response.json({ id: post.id, url: postUrl(new URL(request.url).origin, handle, post) }, { status: 201 })
}

const remove: Respond = async (db, handle, request) => {
  const id = Id.safeParse(new URL(request.url).pathname.split('/').at(-1))
  if (!id.success) throw notFound('post')
  await deletePost(db, handle, id.data)
  return new Response(null, { status: 204 })
}

const upload: Respond = async (db, handle, request) =>
  Response.json(await storeFile(db, handle, await request.bytes()), { status: 201 })

const readBehavior: Respond = async (db, handle) => Response.json(await getBehavior(db, handle))

const changeBehavior: Respond = async (db, handle, request) =>
  Response.json(await setBehavior(db, handle, BehaviorChange.parse(await request.json())))

function parseHandle(path: string): string {
  const handle = Handle.safeParse(path)
  if (!handle.success) throw notFound('account')
  return handle.data
}

/** Breaks the connection when the client has gone, or after 50 s. */
function waitForClient({ signal }: Request): Promise<Response> {
  const { promise, resolve } = Promise.withResolvers<Response>()
  const timer = setTimeout(() => resolve(new Response(createBrokenStream())), 50_000)
  signal.addEventListener('abort', () => {
    clearTimeout(timer)
    resolve(new Response(createBrokenStream()))
  })
  return promise
}

function refuse(error: unknown): Response {
  const problem = asProblem(error)
  const headers = { 'content-type': 'application/problem+json', ...problem.options.headers }
  return Response.json(problemDocument(problem, newId()), { status: problem.status, headers })
}

function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (error instanceof SyntaxError) return new Problem(400, 'malformed_body', 'The body is not JSON.')
  if (!(error instanceof z.ZodError)) return new Problem(500, 'internal_error', String(error))
  return new Problem(422, 'validation_failed', error.issues.map(({ message }) => message).join(' '))
}
