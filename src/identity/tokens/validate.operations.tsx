import { z } from 'zod'
import type { Call } from '#lib/call.ts'
import { operation } from '#lib/operation.ts'
import { UsedPermission } from '../api-keys/contract.ts'
import { PublicKeys, Validation } from '../contract.ts'
import { credentialOf, presentedBy } from './credential.ts'
import { findPublicKeys } from './signing-keys.ts'

const validation = {
  permission: 'public',
  // Other services call it for each of their requests.
  limit: null,
  input: z.object({ permission: UsedPermission }),
  output: Validation,
  problems: { invalid_token: 401 },
  run: async (call: Call<{ permission?: string }>) => {
    const answer = await call.validate(credentialOf(presentedBy(call.request), call.config))
    call.keyUses.note(answer, call.input.permission)
    return answer
  },
} as const

export const validateCredential = operation({
  route: 'GET /validate',
  summary: 'Validate a credential',
  ...validation,
})

export const validatePresentedCredential = operation({
  route: 'POST /validate',
  summary: 'Validate a credential with POST',
  transaction: false,
  ...validation,
})

export const listPublicKeys = operation({
  route: 'GET /.well-known/jwks.json',
  summary: 'Get the public keys of access tokens',
  permission: 'public',
  input: z.object({}),
  unknownFields: 'ignored',
  output: PublicKeys,
  run: ({ db }) => findPublicKeys(db),
})
