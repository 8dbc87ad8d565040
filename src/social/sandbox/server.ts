import { z } from 'zod'
import { createBrokenStream, neverRespond, refuse } from '#lib/counterpart.ts'
import { openDatabase, type Database } from '#lib/db.ts'
import { notFound } from '#lib/errors.ts'
import { Id } from '#lib/ids.ts'
import type { DatabaseAddress } from '#lib/postgres/pool.ts'
import { getBehavior, setBehavior } from './behavior.ts'
import { BehaviorChange, Edited, Handle, Incoming, SandboxPost, TimelineQuery } from './contract.ts'
import { storeFile } from './files.ts'
import { deletePost, editPost, listReadable, postUrl, receivePost, type Reception } from './timeline.ts'

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
      '/dev/sandbox/api/accounts/:handle/posts/:postId': { PATCH: at(edit), DELETE: at(remove) },
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
  return respondTo(await receivePost(db, handle, Incoming.parse(await request.json())), handle, request)
}

const edit: Respond = async (db, handle, request) =>
  respondTo(await editPost(db, handle, postIdOf(request), Edited.parse(await request.json())), handle, request)

async function respondTo(reception: Reception, handle: string, request: Request): Promise<Response> {
  if (reception.kind === 'silent') return neverRespond(request.signal, silenceMs)
  await Bun.sleep(reception.latencyMs)
  if (reception.kind === 'refused') return refuse(reception.problem)
  if (reception.kind === 'cut') return new Response(createBrokenStream())
  const { post } = reception
  return Response.json({ id: post.id, url: postUrl(new URL(request.url).origin, handle, post) }, { status: 201 })
}

const remove: Respond = async (db, handle, request) => {
  await deletePost(db, handle, postIdOf(request))
  return new Response(null, { status: 204 })
}

function postIdOf(request: Request): string {
  const id = Id.safeParse(new URL(request.url).pathname.split('/').at(-1))
  if (!id.success) throw notFound('post')
  return id.data
}

const upload: Respond = async (db, handle, request) =>
  Response.json(await storeFile(db, handle, await request.bytes()), { status: 201 })

const readBehavior: Respond = async (db, handle) => Response.json(await getBehavior(db, handle))

const changeBehavior: Respond = async (db, handle, request) =>
  Response.json(await setBehavior(db, handle, BehaviorChange.parse(await request.json())))

/** Less than the minute after which the server closes a silent connection. */
const silenceMs = 50_000

function parseHandle(path: string): string {
  const handle = Handle.safeParse(path)
  if (!handle.success) throw notFound('account')
  return handle.data
}
