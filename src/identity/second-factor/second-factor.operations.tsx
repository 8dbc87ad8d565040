import { operation } from '#lib/operation.ts'
import { SignedIn } from '../contract.ts'
import { SecondFactor } from './contract.ts'
import { finishSignIn } from './finish.ts'

export const showSecondFactor = operation({
  route: 'POST /api/auth/login/second-factor',
  summary: 'Finish signing in by the second factor',
  permission: 'public',
  limit: 'sign-in',
  input: SecondFactor,
  output: SignedIn,
  transaction: false,
  problems: { challenge_over: 401, wrong_code: 401, too_many_codes: 429 },
  run: (call) => finishSignIn(call, call.input),
})
