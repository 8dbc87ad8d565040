import type { Endpoint } from '#lib/endpoint.ts'
import { basePath } from './paths.ts'
import { providerEndpoints } from './provider-endpoints.ts'
import { respond } from './provider.ts'
import { providerOf } from './state.ts'

export const practiceModelEndpoints: readonly Endpoint[] = providerEndpoints.map((endpoint) => ({
  method: endpoint.method,
  path: basePath + endpoint.path,
  respond: ({ db, now, signal, context: { request, params } }) =>
    respond(providerOf(db), endpoint, { request, params, signal, now: now() }),
}))
