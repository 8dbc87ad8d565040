import { z } from 'zod'
import { operation } from '#lib/operation.ts'
import { reply } from '#lib/reply.ts'
import { SignedIn } from '../contract.ts'
import { SecondFactor } from './contract.ts'
import { finishSignIn } from './finish.ts'
import { stepUp as raise } from './proof.ts'

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

export const stepUp = operation({
  route: 'POST /api/auth/me/second-factor',
  summary: 'Show the second factor in a session that was opened without',
  permission: 'signed-in',
  limit: 'sign-in',
  input: SecondFactor.pick({ code: true }),
  output: z.null(),
  transaction: false,
  problems: { too_many_codes: 429 },
  run: async (call) => {
    await raise(call, call.input.code)
    return reply(204, null, { next: '/', toast: 'You can work everywhere again' })
  },
})
