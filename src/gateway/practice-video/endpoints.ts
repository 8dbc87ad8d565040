import type { Endpoint } from '#lib/endpoint.ts'
import { basePath } from './paths.ts'
import { respond, videoEndpoints } from './provider.ts'

export const practiceVideoEndpoints: readonly Endpoint[] = videoEndpoints.map((endpoint) => ({
  method: endpoint.method,
  path: basePath + endpoint.path,
  respond: ({ db, now, signal, context: { request } }) => respond(endpoint, { db, request, signal, now }),
}))
