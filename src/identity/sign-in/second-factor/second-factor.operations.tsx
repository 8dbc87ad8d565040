import { z } from 'zod'
import { operation } from '#lib/operation.ts'
import { reply } from '#lib/reply.ts'
import { SecondFactor } from '#views/identity/sign-in/second-factor/second-factor.tsx'
import { ProofCodeMailed } from '#views/identity/sign-in/second-factor/proof-field.tsx'
import { Totp } from '#views/identity/sign-in/second-factor/totp.tsx'
import { SignInResult } from '../../contract.ts'
import { RequestOptions } from '../passkeys/contract.ts'
import { createProofOptions } from '../passkeys/proof-options.ts'
import { getOwnProofMethods, getSecondFactors as getFactors } from './factors.ts'
import { next } from '../../contract/fields.ts'
import { localPath } from '../../http/responses.ts'
import { challengeOf, findChallenge } from './challenge.ts'
import {
  ProofCodeSent,
  ProofMethods,
  SecondFactor as SecondFactorInput,
  SecondFactorChallenge,
  SecondFactors,
} from './contract.ts'
import { finishSignIn } from './finish.ts'
import { mailProofCode as mail } from './mailed-code.ts'
import { stepUp as raise } from './proof.ts'

export const getSecondFactorChallenge = operation({
  route: 'GET /api/auth/login/second-factor',
  summary: 'Get the pending second-factor sign-in',
  permission: 'public',
  limit: 'sign-in',
  input: z.object({ next }),
  output: SecondFactorChallenge,
  run: async (call) =>
    (await findChallenge(call.db, challengeOf(call), call.now())) ?? { expiresAt: null, email: null, passkey: null },
  view: (challenge, { input }) => <SecondFactor challenge={challenge} next={input.next && localPath(input.next)} />,
})

export const verifySecondFactor = operation({
  route: 'POST /api/auth/login/second-factor',
  summary: 'Complete a sign-in with a second factor',
  permission: 'public',
  limit: 'sign-in',
  input: SecondFactorInput,
  output: SignInResult,
  transaction: false,
  problems: { challenge_expired: 401, wrong_code: 401, account_deletion_pending: 403, too_many_codes: 429 },
  run: (call) => finishSignIn(call, call.input),
})

export const getProofMethods = operation({
  route: 'GET /api/auth/me/proof-methods',
  summary: 'Get your reauthentication methods',
  permission: 'signed-in',
  personal: false,
  input: z.object({}),
  output: ProofMethods,
  run: (call) => getOwnProofMethods(call),
})

export const getSecondFactors = operation({
  route: 'GET /api/auth/me/second-factors',
  summary: 'Get your authenticator app and second-factor requirements',
  permission: 'signed-in',
  input: z.object({}),
  output: SecondFactors,
  run: (call) => getFactors(call),
  view: (factors) => <Totp factors={factors} />,
})

export const stepUp = operation({
  route: 'POST /api/auth/me/second-factor',
  summary: 'Verify a second factor in an open session',
  permission: 'signed-in',
  limit: 'sign-in',
  input: SecondFactorInput.pick({ code: true }),
  output: z.null(),
  transaction: false,
  problems: { too_many_codes: 429 },
  run: async (call) => {
    await raise(call, call.input.code)
    // The session now opens organizations that it couldn't, so the navigation of the frame changes.
    return reply(204, null, { next: '/', toast: 'Second factor verified' })
  },
})

export const mailProofCode = operation({
  route: 'POST /api/auth/me/proof-code',
  summary: 'Email a verification code',
  permission: 'signed-in',
  limit: 'sign-in',
  input: z.object({}),
  output: ProofCodeSent,
  answers: { 202: ProofCodeSent },
  transaction: false,
  problems: { stronger_proof_available: 409, too_many_mails: 429 },
  run: async (call) => {
    const email = await mail(call)
    return reply(202, { status: 'code_sent' as const, email })
  },
  view: ({ email }) => <ProofCodeMailed email={email} />,
})

export const beginPasskeyProof = operation({
  route: 'POST /api/auth/me/passkeys/proof-options',
  summary: 'Create a passkey challenge for reauthentication',
  permission: 'signed-in',
  limit: 'sign-in',
  input: z.object({}),
  output: RequestOptions,
  transaction: false,
  problems: { no_passkey: 409, misdirected_request: 421 },
  run: (call) => createProofOptions(call),
})
