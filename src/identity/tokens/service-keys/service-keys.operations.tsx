import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { listOf, paging } from '#lib/paginate.ts'
import { publicUrl } from '#lib/public-url.ts'
import { requireServiceBySlug } from '../../registry/services.ts'
import { serviceLifetime, signServiceToken } from '../tokens.ts'
import { consumeAssertion } from './assertion.ts'
import { ServiceKey, ServiceKeyDraft, ServiceKeyQuery, ServiceTokenResponse, ServiceTokenRequest } from './contract.ts'
import { listKeys, registerKey, revokeKey } from './service-keys.ts'

const path = '/api/internal/service-tokens'

export const createServiceToken = operation({
  route: `POST ${path}`,
  summary: 'Create an access token for a service',
  permission: 'public',
  input: ServiceTokenRequest,
  unknownFields: 'ignored',
  output: ServiceTokenResponse,
  secrets: ['access_token'],
  problems: { invalid_client: 401, not_found: 404 },
  // An assertion stays used, even if the request fails.
  transaction: false,
  run: async (call) => {
    const { db, config, request, now, input } = call
    const audiences = [
      publicUrl('/', config, request).slice(0, -1),
      publicUrl(path, config, request),
      'platform-identity',
    ]
    const { slug, keyId } = await consumeAssertion(db, input.client_assertion, { audiences, now: now() })
    const { slug: audience } = await requireServiceBySlug(db, input.audience)
    const token = await signServiceToken(call, { caller: slug, audience, keyId })
    return { access_token: token, token_type: 'Bearer' as const, expires_in: serviceLifetime }
  },
})

export const listServiceKeys = operation({
  route: 'GET /api/services/:id/keys',
  summary: 'List a service’s public keys',
  permission: 'super-admin',
  input: z.object({ id: Id, ...paging }),
  output: listOf(ServiceKey),
  run: ({ db, input }) => listKeys(db, input.id, input),
})

export const registerServiceKey = operation({
  route: 'POST /api/services/:id/keys',
  summary: 'Register a service’s public key',
  permission: 'super-admin',
  input: ServiceKeyDraft,
  output: ServiceKey,
  creates: true,
  problems: { third_party_service: 409, key_exists: 409 },
  run: registerKey,
})

export const revokeServiceKey = operation({
  route: 'DELETE /api/services/:id/keys/:keyId',
  summary: 'Revoke a service’s public key',
  permission: 'super-admin',
  input: ServiceKeyQuery,
  output: z.object({ id: Id }),
  run: async (call) => {
    const { id, keyId } = call.input
    await revokeKey(call, id, keyId)
    return { id: keyId }
  },
})
