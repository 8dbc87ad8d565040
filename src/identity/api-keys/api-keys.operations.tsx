import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { invalid } from '#lib/errors.ts'
import { operation } from '#lib/operation.ts'
import { isTarget } from '#lib/page.ts'
import { listOf, paging } from '#lib/paginate.ts'
import { reply } from '#lib/reply.ts'
import { plainText } from '#lib/text.ts'
import { ApiKeySections, ChangedApiKey } from '#views/identity/api-keys/api-key.tsx'
import { ApiKeyRow, KeyMenu, keyMenu } from '#views/identity/api-keys/api-key-row.tsx'
import { ApiKeyList } from '#views/identity/api-keys/api-keys.tsx'
import { NewKeyChoices } from '#views/identity/api-keys/new-key-dialog.tsx'
import { MadeKey } from '#views/identity/api-keys/new-key-secret.tsx'
import { Validation } from '../contract.ts'
import { bearerOf, presentedBy } from '../tokens/credential.ts'
import * as apiKeys from './keys/api-keys.ts'
import { validateKey } from './validation/validate-key.ts'
import {
  ApiKeyDetail,
  ApiKeyDraft,
  ApiKeyOptions,
  KeyFilter,
  NewApiKey,
  ApiKeyCredential,
  Rotation,
  type ApiKeyDetailRow,
  type ApiKeyRow as KeyRow,
} from './contract.ts'
import { describeKeys } from './keys/describe.ts'
import * as issue from './issue/issue.ts'
import { getKeyOptions } from './issue/options.ts'

// `listManagedServices` checks the permission, since it depends on the key's service (pages.md, "Whose permission").

async function describeKey(call: Call<unknown, Actor>, key: KeyRow): Promise<ApiKeyDetailRow> {
  const [described] = await describeKeys(call, [key])
  if (!described) throw new Error('describeKeys returned no key')
  return described
}

export const listApiKeys = operation({
  route: 'GET /api/api-keys',
  summary: 'List API keys',
  permission: 'known',
  input: KeyFilter.extend(paging),
  output: listOf(ApiKeyDetail),
  run: async (call) => {
    await call.keyUses.flush()
    const { items, nextCursor } = await apiKeys.list(call.db, call.actor, call.input)
    return { items: await describeKeys(call, items), nextCursor }
  },
  view: ({ items, nextCursor }, { input }) => <ApiKeyList keys={items} nextCursor={nextCursor} filter={input} />,
})

export const createApiKey = operation({
  route: 'POST /api/api-keys',
  summary: 'Create an API key',
  permission: 'known',
  input: ApiKeyDraft,
  output: NewApiKey,
  creates: true,
  secrets: ['key'],
  example: { name: 'CI', service: 'platform-socialize', scopes: ['posts.read', 'posts.write'] },
  problems: { exceeds_own_key: 403, not_found: 404, too_many_api_keys: 409 },
  run: (call) => issue.createKey(call, call.input),
  view: ({ key }) => <MadeKey text={key} />,
})

export const getApiKeyOptions = operation({
  route: 'GET /api/api-keys/options',
  summary: 'List the choices for a new API key',
  permission: 'known',
  input: z.object({ service: plainText(100).optional() }),
  output: ApiKeyOptions,
  run: getKeyOptions,
  view: (options) => <NewKeyChoices {...options} />,
})

export const getApiKey = operation({
  route: 'GET /api/api-keys/:id',
  summary: 'Get an API key',
  permission: 'known',
  input: z.object({ id: Id }),
  output: ApiKeyDetail,
  run: async (call) => {
    await call.keyUses.flush()
    return describeKey(call, await apiKeys.find(call.db, call.actor, call.input.id))
  },
  view: (key, call) => (isTarget(call, keyMenu(key)) ? <KeyMenu apiKey={key} /> : <ApiKeySections apiKey={key} />),
})

export const rotateApiKey = operation({
  route: 'POST /api/api-keys/:id/rotate',
  summary: 'Rotate an API key',
  permission: 'known',
  input: Rotation,
  output: NewApiKey,
  creates: true,
  secrets: ['key'],
  example: { overlapHours: 24 },
  problems: { exceeds_own_key: 403, api_key_inactive: 409 },
  run: (call) => issue.rotateKey(call, call.input),
  view: ({ key }) => <MadeKey text={key} />,
})

export const revokeApiKey = operation({
  route: 'DELETE /api/api-keys/:id',
  summary: 'Revoke an API key',
  permission: 'known',
  input: z.object({ id: Id }),
  output: ApiKeyDetail,
  problems: { exceeds_own_key: 403 },
  run: async (call) => {
    const key = await apiKeys.revoke(call, call.input.id)
    return reply(200, await describeKey(call, key), { next: '/settings/keys', toast: `${key.name} revoked` })
  },
  // The key is a row of the list, or has its own page.
  view: (key, call) => (isTarget(call, 'api-key') ? <ChangedApiKey apiKey={key} /> : <ApiKeyRow apiKey={key} />),
})

export const validateApiKey = operation({
  route: 'POST /api/api-keys/validate',
  summary: 'Validate an API key',
  permission: 'public',
  input: ApiKeyCredential,
  output: Validation,
  transaction: false,
  problems: { invalid_token: 401 },
  run: async (call) => {
    const { key = bearerOf(presentedBy(call.request)), permission } = call.input
    if (key === undefined) throw invalid([{ path: 'key', message: 'Enter the key, or send it as the bearer token.' }])
    const answer = await validateKey(call, key)
    call.keyUses.note(answer, permission)
    return answer
  },
})
