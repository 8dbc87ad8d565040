import { z } from 'zod'
import { operation } from '#lib/operation.ts'
import { listOf } from '#lib/paginate.ts'
import { reply } from '#lib/reply.ts'
import { Credential, CredentialCheck } from '../contract/credentials.ts'
import { checkCredential } from './check.ts'
import { deleteCredential, getCredential, listCredentials, putCredential } from './credentials.ts'
import { CredentialInput, CredentialName } from './input.ts'

const manage = { permission: 'provider_credentials:manage' } as const

export const listProviderCredentials = operation({
  route: 'GET /api/credentials',
  summary: 'List provider credentials',
  permission: 'usage:read',
  input: z.object({}),
  output: listOf(Credential),
  run: async ({ db, actor }) => ({ items: await listCredentials(db, actor), nextCursor: null }),
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
    return credential
  },
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
    return reply(204, null)
  },
})

export const checkProviderCredential = operation({
  route: 'POST /api/credentials/:provider/check',
  summary: 'Check a provider credential',
  ...manage,
  input: CredentialName,
  output: CredentialCheck,
  transaction: false,
  run: async (call) => checkCredential(call, await getCredential(call.db, call.actor, call.input)),
})
