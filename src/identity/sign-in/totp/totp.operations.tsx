import { z } from 'zod'
import { operation } from '#lib/operation.ts'
import { reply } from '#lib/reply.ts'
import { NewAuthenticator } from '#views/identity/sign-in/second-factor/new-authenticator.tsx'
import { NewRecoveryCodes } from '#views/identity/sign-in/second-factor/new-recovery-codes.tsx'
import { drawSecurity } from '../draw-security.tsx'
import { Proof, proofProblems } from '../second-factor/contract.ts'
import { RecoveryCodes, TotpConfirmation, TotpEnrollment } from './contract.ts'
import * as verbs from './totp.ts'

const own = { permission: 'signed-in', limit: 'sign-in', transaction: false } as const

export const beginTotp = operation({
  ...own,
  route: 'POST /api/auth/me/totp',
  summary: 'Start setting up an authenticator app',
  input: Proof,
  output: TotpEnrollment,
  problems: { organization_requires_second_factor: 403, totp_exists: 409, ...proofProblems },
  run: (call) => verbs.beginTotp(call, call.input),
  view: (enrollment) => <NewAuthenticator {...enrollment} />,
})

export const confirmTotp = operation({
  ...own,
  route: 'POST /api/auth/me/totp/confirm',
  summary: 'Confirm an authenticator app',
  input: TotpConfirmation,
  output: RecoveryCodes,
  problems: { organization_requires_second_factor: 403, totp_not_started: 409 },
  run: async (call) => ({ recoveryCodes: await verbs.confirmTotp(call, call.input.code) }),
  view: ({ recoveryCodes }) => <NewRecoveryCodes codes={recoveryCodes} />,
})

export const removeTotp = operation({
  ...own,
  route: 'DELETE /api/auth/me/totp',
  summary: 'Remove the authenticator app',
  input: Proof,
  output: z.null(),
  problems: {
    organization_requires_second_factor: 403,
    no_totp: 409,
    last_second_factor: 409,
    ...proofProblems,
  },
  run: async (call) => {
    await verbs.removeTotp(call, call.input)
    return reply(204, null, { next: '/settings/security', toast: 'Authenticator app removed' })
  },
  view: (_, call) => drawSecurity(call),
})

export const regenerateRecoveryCodes = operation({
  ...own,
  route: 'POST /api/auth/me/recovery-codes',
  summary: 'Create new recovery codes',
  input: Proof,
  output: RecoveryCodes,
  problems: { no_totp: 409, ...proofProblems },
  run: async (call) => ({ recoveryCodes: await verbs.regenerateRecoveryCodes(call, call.input) }),
  view: ({ recoveryCodes }) => <NewRecoveryCodes codes={recoveryCodes} />,
})
