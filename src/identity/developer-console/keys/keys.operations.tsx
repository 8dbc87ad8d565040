import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { listOf } from '#lib/paginate.ts'
import { reply } from '#lib/reply.ts'
import { AppKeyRow, AppKeyTable } from '#views/identity/developer-console/app-keys.tsx'
import { KeyServiceFields } from '#views/identity/developer-console/new-app-key.tsx'
import { MadeKey } from '#views/identity/api-keys/new-key-secret.tsx'
import { ApiKey, ApiKeyDraft, NewApiKey, Rotation } from '../../api-keys/contract.ts'
import { findApp } from '../apps.ts'
import { KeyService } from '../contract.ts'
import { listKeyServices } from '../requestable-scopes.ts'
import * as keys from './app-keys.ts'
import { actAsPerson, signedByConsole } from './delegation.ts'

const commonProblems = { exceeds_own_key: 403, no_developer_access: 409 } as const
const page = (id: string): string => `/developers/apps/${id}?tab=keys`

export const listAppKeys = operation({
  ...signedByConsole,
  route: 'GET /api/developer-console/apps/:id/keys',
  summary: 'List an app’s API keys',
  input: z.object({ id: Id }),
  output: listOf(ApiKey),
  run: async (call) => ({ items: await keys.listAppKeys(await actAsPerson(call), call.input.id), nextCursor: null }),
  view: ({ items }, { input, now }) =>
    items.length > 0 ? <AppKeyTable appId={input.id} keys={items} now={now()} /> : <></>,
})

export const listAppKeyServices = operation({
  ...signedByConsole,
  route: 'GET /api/developer-console/apps/:id/key-services',
  summary: 'List the services of an app’s scopes',
  input: z.object({ id: Id }),
  output: listOf(KeyService),
  run: async (call) => {
    const app = await findApp(await actAsPerson(call), call.input.id)
    return { items: await listKeyServices(call.db, app), nextCursor: null }
  },
  // The form of a new key is shown only with a service to choose.
  view: ({ items }) => (items.length > 0 ? <KeyServiceFields services={items} /> : <></>),
})

export const createAppKey = operation({
  ...signedByConsole,
  route: 'POST /api/developer-console/apps/:id/keys',
  summary: 'Create an API key for an app',
  input: ApiKeyDraft.safeExtend({ id: Id }),
  output: NewApiKey,
  creates: true,
  secrets: ['key'],
  example: { name: 'Order desk', service: 'platform-socialize', scopes: ['posts.read'], mode: 'test' },
  problems: commonProblems,
  run: async (call) => {
    const { id, ...draft } = call.input
    return keys.createAppKey(await actAsPerson(call), id, draft)
  },
  view: ({ key }, { input }) => <MadeKey text={key} done={page(input.id)} />,
})

export const rotateAppKey = operation({
  ...signedByConsole,
  route: 'POST /api/developer-console/apps/:id/keys/:keyId/rotate',
  summary: 'Rotate an app’s API key',
  input: Rotation.safeExtend({ keyId: Id }),
  output: NewApiKey,
  creates: true,
  secrets: ['key'],
  example: { overlapHours: 24 },
  problems: { ...commonProblems, api_key_inactive: 409 },
  run: async (call) => {
    const { id, keyId, ...rotation } = call.input
    return keys.rotateAppKey(await actAsPerson(call), id, { ...rotation, id: keyId })
  },
  view: ({ key }, { input }) => <MadeKey text={key} done={page(input.id)} />,
})

export const revokeAppKey = operation({
  ...signedByConsole,
  route: 'DELETE /api/developer-console/apps/:id/keys/:keyId',
  summary: 'Revoke an app’s API key',
  input: z.object({ id: Id, keyId: Id }),
  output: ApiKey,
  problems: commonProblems,
  run: async (call) => {
    const { id, keyId } = call.input
    const key = await keys.revokeAppKey(await actAsPerson(call), id, keyId)
    return reply(200, key, { next: page(id), toast: `${key.name} revoked` })
  },
  view: (key, { input, now }) => <AppKeyRow appId={input.id} apiKey={key} now={now()} />,
})
