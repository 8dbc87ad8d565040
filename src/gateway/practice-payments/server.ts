import { serveAsset } from '#lib/assets.ts'
import { queryOf, refuse } from '#lib/counterpart.ts'
import { openDatabase } from '#lib/db.ts'
import { notFound, Problem } from '#lib/errors.ts'
import type { DatabaseAddress } from '#lib/postgres/pool.ts'
import { readBody } from '#lib/request/body.ts'
import { factsOf } from '#lib/request/context.ts'
import { z } from 'zod'
import { getBehavior } from './behavior.ts'
import { changeBehavior } from './change-behavior.ts'
import { PaymentObjectFilter, PaymentObjectList, PaymentsBehaviorChange, PaymentsBehaviorScope } from './contract.ts'
import { hostedPages } from './hosted/index.ts'
import { listPaymentObjects } from './objects.ts'
import { basePath } from './paths.ts'
import { createPractice, type Practice } from './state.ts'
import { accountOfKey } from './wire/account.ts'
import { respond } from './wire/respond.ts'

export interface PaymentsServer {
  url: string
  stop(): Promise<void>
}

interface Options {
  at: DatabaseAddress | string
  port: number
  fail(error: unknown): void
}

/** The practice payments at `/v1` of a port, since Stripe’s client takes no base path. */
export function servePayments({ at, port, fail }: Options): PaymentsServer {
  const database = openDatabase(at)
  const practice = createPractice(database.db, fail)
  practice.dispatcher.wake()
  const server = Bun.serve({
    port,
    hostname: '127.0.0.1',
    idleTimeout: 60,
    fetch: (request) =>
      answer(practice, request).catch((error: unknown) => {
        if (!(error instanceof Problem) && !(error instanceof z.ZodError)) fail(error)
        return refuse(error)
      }),
  })
  return {
    url: server.url.origin,
    stop: async () => {
      await server.stop(true)
      await practice.dispatcher.stop()
      await database.close()
    },
  }
}

async function answer(practice: Practice, request: Request): Promise<Response> {
  const url = new URL(request.url)
  const { origin, pathname } = url
  const path = pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length) : pathname
  if (path.startsWith('/v1/')) return respond(practice, { request, path, origin, signal: request.signal })
  if (pathname === `${basePath}/behavior`) return answerBehavior(practice, request)
  if (pathname === `${basePath}/api/objects` && request.method === 'GET')
    return Response.json(
      PaymentObjectList.parse(await listPaymentObjects(practice.db, PaymentObjectFilter.parse(queryOf(request)))),
    )
  const page = hostedPages.find((each) => each.method === request.method && isAt(each.path, path))
  const id = path.split('/').at(-1) ?? ''
  if (page) return page.show({ practice, request, facts: factsOf(request, url, null, 0), origin, id })
  const asset = serveAsset(request)
  if (asset) return asset
  throw notFound()
}

const isAt = (pattern: string, path: string): boolean => {
  const folder = pattern.slice(0, pattern.lastIndexOf('/') + 1)
  return path.startsWith(folder) && !path.slice(folder.length).includes('/')
}

async function answerBehavior({ db, dispatcher }: Practice, request: Request): Promise<Response> {
  const accountOf = (apiKey: string | undefined) => (apiKey ? accountOfKey(apiKey) : '')
  if (request.method === 'GET')
    return Response.json(await getBehavior(db, accountOf(PaymentsBehaviorScope.parse(queryOf(request)).apiKey)))
  if (request.method !== 'PUT') throw new Problem(405, 'method_not_allowed', 'Use GET or PUT.')
  const { apiKey, ...behavior } = PaymentsBehaviorChange.strict().parse(await readBody(request, {}))
  const saved = await changeBehavior(db, accountOf(apiKey), behavior)
  dispatcher.wake()
  return Response.json(saved)
}
