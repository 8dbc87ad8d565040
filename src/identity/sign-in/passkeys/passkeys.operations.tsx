import { z } from 'zod'
import { operation } from '#lib/operation.ts'
import { listOf } from '#lib/paginate.ts'
import { NewPasskey } from '#views/identity/sign-in/passkeys/new-passkey.tsx'
import { PasskeyList } from '#views/identity/sign-in/passkeys/passkeys.tsx'
import { SignInResult } from '../../contract.ts'
import { Proof, proofProblems } from '../second-factor/contract.ts'
import { getProofMethods } from '../second-factor/second-factor.operations.tsx'
import { createRegistrationOptions } from './register-passkey.ts'
import { CreationOptions, Passkey, PasskeySignIn, RequestOptions } from './contract.ts'
import * as passkeys from './passkeys.ts'
import { createSignInOptions, signInWithPasskey } from './passkey-sign-in.ts'

export const beginPasskeySignIn = operation({
  route: 'POST /api/auth/passkeys/options',
  summary: 'Create a passkey challenge for sign-in',
  permission: 'public',
  limit: 'sign-in',
  input: z.object({}),
  output: RequestOptions,
  transaction: false,
  problems: { misdirected_request: 421 },
  run: (call) => createSignInOptions(call),
})

export const finishPasskeySignIn = operation({
  route: 'POST /api/auth/passkeys/verify',
  summary: 'Sign in with a passkey',
  permission: 'public',
  limit: 'sign-in',
  input: PasskeySignIn,
  output: SignInResult,
  transaction: false,
  problems: { passkey_invalid: 401, account_deletion_pending: 403, misdirected_request: 421 },
  run: (call) => signInWithPasskey(call, call.input),
})

export const listPasskeys = operation({
  route: 'GET /api/auth/me/passkeys',
  summary: 'List your passkeys',
  permission: 'signed-in',
  input: z.object({}),
  output: listOf(Passkey),
  run: async (call) => ({ items: await passkeys.listPasskeys(call), nextCursor: null }),
  view: async ({ items }, { ask }) => <PasskeyList passkeys={items} ways={await ask(getProofMethods, {})} />,
})

export const beginPasskey = operation({
  route: 'POST /api/auth/me/passkeys/options',
  summary: 'Create options for a new passkey',
  permission: 'signed-in',
  limit: 'sign-in',
  input: Proof,
  output: CreationOptions,
  transaction: false,
  problems: { organization_requires_second_factor: 403, ...proofProblems },
  run: (call) => createRegistrationOptions(call, call.input),
  view: (options) => <NewPasskey options={options} />,
})
