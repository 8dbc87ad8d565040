import type { Endpoint } from '#lib/endpoint.ts'
import { publicUrl, publicUrlOfJob } from '#lib/public-url.ts'
import { hostedPages } from './hosted/index.ts'
import { basePath } from './paths.ts'
import { practiceOf } from './state.ts'
import { respond } from './wire/respond.ts'

type Respond = Endpoint['respond']
type Call = Parameters<Respond>[0]

/** The gateway calls this server in process, without an address. */
const originOf = ({ request, config }: Call): string =>
  new URL(request.address === null ? publicUrlOfJob('/', config) : publicUrl('/', config, request)).origin

const respondToClient: Respond = (call) => {
  const { db, signal, context, request } = call
  const path = request.url.pathname.slice(basePath.length)
  return respond(practiceOf(db), { request: context.request, path, origin: originOf(call), signal })
}

/** An unknown path too has to be refused in Stripe’s format: its clients take other bodies for a success. */
const depths = ['/:a', '/:a/:b', '/:a/:b/:c', '/:a/:b/:c/:d', '/:a/:b/:c/:d/:e']
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

export const practicePaymentEndpoints: readonly Endpoint[] = [
  ...depths.flatMap((depth) =>
    methods.map((method): Endpoint => ({ method, path: `${basePath}/v1${depth}`, respond: respondToClient })),
  ),
  ...hostedPages.map(({ method, path, show }): Endpoint => ({
    method,
    path: basePath + path,
    respond: (call) =>
      show({
        practice: practiceOf(call.db),
        request: call.context.request,
        facts: call.request,
        origin: originOf(call),
        id: call.context.params['id'] ?? '',
      }),
  })),
]
