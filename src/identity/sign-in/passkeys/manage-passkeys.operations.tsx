import { z } from 'zod'
import { operation } from '#lib/operation.ts'
import { reply } from '#lib/reply.ts'
import { PasskeyRow } from '#views/identity/sign-in/passkeys/passkeys.tsx'
import { drawSecurity } from '../draw-security.tsx'
import { proofProblems } from '../second-factor/contract.ts'
import { getProofMethods } from '../second-factor/second-factor.operations.tsx'
import { Passkey, PasskeyDraft, PasskeyEdit, PasskeyRemoval } from './contract.ts'
import * as passkeys from './passkeys.ts'
import { addPasskey as add } from './register-passkey.ts'

const back = { next: '/settings/security' }

export const addPasskey = operation({
  route: 'POST /api/auth/me/passkeys',
  summary: 'Add a passkey',
  permission: 'signed-in',
  limit: 'sign-in',
  input: PasskeyDraft,
  output: Passkey,
  creates: true,
  transaction: false,
  problems: {
    organization_requires_second_factor: 403,
    passkey_exists: 409,
    too_many_passkeys: 409,
    misdirected_request: 421,
  },
  run: async (call) => reply(201, await add(call, call.input), { ...back, toast: 'Passkey added' }),
  view: (_, call) => drawSecurity(call),
})

export const updatePasskey = operation({
  route: 'PUT /api/auth/me/passkeys/:id',
  summary: 'Rename a passkey',
  permission: 'signed-in',
  input: PasskeyEdit,
  output: Passkey,
  run: async (call) =>
    reply(200, await passkeys.renamePasskey(call, call.input), { ...back, toast: 'Passkey renamed' }),
  view: async (passkey, { ask }) => <PasskeyRow passkey={passkey} ways={await ask(getProofMethods, {})} />,
})

export const removePasskey = operation({
  route: 'DELETE /api/auth/me/passkeys/:id',
  summary: 'Remove a passkey',
  permission: 'signed-in',
  limit: 'sign-in',
  input: PasskeyRemoval,
  output: z.null(),
  transaction: false,
  problems: { organization_requires_second_factor: 403, last_second_factor: 409, ...proofProblems },
  run: async (call) => {
    const { id, ...proof } = call.input
    await passkeys.removePasskey(call, id, proof)
    return reply(204, null, { ...back, toast: 'Passkey removed' })
  },
  view: (_, call) => drawSecurity(call),
})
