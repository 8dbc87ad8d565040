import { z } from 'zod'
import type { Call } from '#lib/call.ts'
import { operation } from '#lib/operation.ts'
import { forEachSettled } from '#lib/each.ts'
import { isTarget } from '#lib/page.ts'
import { reply } from '#lib/reply.ts'
import { Credentials } from '#views/gateway/credentials/credentials.tsx'
import { NetworkApps, networkAppsPlace } from '#views/gateway/connections/apps.tsx'
import { Credential, CredentialCheck, CredentialChecks, CredentialList } from '../contract/credentials.ts'
import { listNetworkCredentials } from '../social-credentials/connections.operations.tsx'
import { checkCredential } from './check.ts'
import { isCheckable } from './checks.ts'
import {
  createCredential,
  deleteCredential,
  getKeys,
  listChangeable,
  listCredentials,
  putCredential,
  renameCredential,
} from './credentials.ts'
import { CredentialChange, CredentialInput, CredentialName, RotationInput } from './input.ts'
import { finishRotation, cancelRotation, rotateKey } from './rotation.ts'

const manage = { permission: 'provider_credentials:manage' } as const
const place = '/gateway/credentials'
const checksAtOnce = 4

export const listProviderCredentials = operation({
  route: 'GET /api/credentials',
  summary: 'List provider credentials',
  permission: 'usage:read',
  input: z.object({}),
  output: CredentialList,
  run: async (call) => ({ ...(await listCredentials(call)), nextCursor: null }),
  view: (list) => <Credentials list={list} />,
})

/** What changed is shown with the other credentials, or with the other apps of networks. */
const viewAll = {
  view: async (_: unknown, call: Pick<Call, 'ask' | 'request'>) =>
    isTarget(call, networkAppsPlace) ? (
      <NetworkApps list={await call.ask(listNetworkCredentials, {})} />
    ) : (
      <Credentials list={await call.ask(listProviderCredentials, {})} />
    ),
} as const

export const createProviderCredential = operation({
  route: 'POST /api/credentials',
  summary: 'Create a provider credential',
  ...manage,
  input: CredentialInput,
  output: Credential,
  creates: true,
  problems: { credential_exists: 409 },
  example: { provider: 'mistral', label: 'main', secret: { apiKey: 'an-api-key' } },
  run: async (call) => {
    const credential = await createCredential(call, call.input)
    await call.upstreams.forgetCredentials(call.db)
    return reply(201, credential, { next: place, toast: 'Credential added' })
  },
  ...viewAll,
})

export const putProviderCredential = operation({
  route: 'PUT /api/credentials/:provider',
  summary: 'Set a provider credential',
  ...manage,
  input: CredentialInput,
  output: Credential,
  run: async (call) => {
    const credential = await putCredential(call, call.input)
    await call.upstreams.forgetCredentials(call.db)
    return reply(200, credential, { next: place, toast: 'Credential saved' })
  },
  ...viewAll,
})

export const renameProviderCredential = operation({
  route: 'PATCH /api/credentials/:provider',
  summary: 'Rename a provider credential',
  ...manage,
  input: CredentialChange,
  output: Credential,
  run: async (call) =>
    reply(200, await renameCredential(call, call.input), { next: place, toast: 'Credential renamed' }),
  ...viewAll,
})

export const deleteProviderCredential = operation({
  route: 'DELETE /api/credentials/:provider',
  summary: 'Delete a provider credential',
  ...manage,
  input: CredentialName,
  output: z.null(),
  run: async ({ db, actor, input, upstreams }) => {
    await deleteCredential(db, actor, input)
    await upstreams.forgetCredentials(db)
    return reply(204, null, { next: place, toast: 'Credential removed' })
  },
  ...viewAll,
})

export const checkProviderCredential = operation({
  route: 'POST /api/credentials/:provider/check',
  summary: 'Check a provider credential',
  ...manage,
  input: CredentialName,
  output: CredentialCheck,
  transaction: false,
  problems: { check_unavailable: 409 },
  run: async (call) => {
    const { active, incoming } = await getKeys(call.db, call.actor, call.input)
    const [check] = await Promise.all([checkCredential(call, active), incoming && checkCredential(call, incoming)])
    return reply(200, check, { next: place, toast: check.healthy ? 'The key works' : 'The key doesn’t work' })
  },
  ...viewAll,
})

export const checkProviderCredentials = operation({
  route: 'POST /api/credential-checks',
  summary: 'Check all provider credentials',
  ...manage,
  input: z.object({}),
  output: CredentialChecks,
  transaction: false,
  run: async (call) => {
    const rows = (await listChangeable(call)).filter(({ provider }) => isCheckable(provider))
    let failing = 0
    await forEachSettled(
      rows,
      async (row) => {
        if (!(await checkCredential(call, row)).healthy) failing += 1
      },
      checksAtOnce,
    )
    const toast = failing === 0 ? 'All keys work' : `${failing} of ${rows.length} keys don’t work`
    return reply(200, { checked: rows.length, failing }, { next: place, toast })
  },
  ...viewAll,
})

export const rotateProviderCredential = operation({
  route: 'POST /api/credentials/:provider/rotate',
  summary: 'Rotate a provider credential',
  ...manage,
  input: RotationInput,
  output: Credential,
  transaction: false,
  problems: { rotation_in_progress: 409 },
  run: async (call) =>
    reply(200, await rotateKey(call), {
      next: place,
      toast: call.input.overlap === 'none' ? 'Key replaced' : 'Rotation started',
    }),
  ...viewAll,
})

export const finishCredentialRotation = operation({
  route: 'POST /api/credentials/:provider/rotation/finish',
  summary: 'Complete the rotation of a credential',
  ...manage,
  input: CredentialName,
  output: Credential,
  run: async (call) => reply(200, await finishRotation(call), { next: place, toast: 'Old key retired' }),
  ...viewAll,
})

export const cancelCredentialRotation = operation({
  route: 'DELETE /api/credentials/:provider/rotation',
  summary: 'Cancel the rotation of a credential',
  ...manage,
  input: CredentialName,
  output: z.null(),
  run: async (call) => {
    await cancelRotation(call)
    return reply(204, null, { next: place, toast: 'Rolled back to the old key' })
  },
  ...viewAll,
})
