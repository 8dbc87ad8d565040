import { operation } from '#lib/operation.ts'
import { authenticate } from './accounts.ts'
import { Credentials, SignInResult } from '../contract.ts'
import { signIn } from '../sign-in/sign-in.ts'
import { selectServiceContext } from '../oauth/service-context.ts'

export const login = operation({
  route: 'POST /api/auth/login',
  summary: 'Sign in with a password',
  permission: 'public',
  limit: 'sign-in',
  input: Credentials,
  output: SignInResult,
  transaction: false,
  problems: {
    context_required: 409,
    invalid_credentials: 401,
    second_factor_required: 401,
    account_deletion_pending: 403,
    sign_in_throttled: 429,
    busy: 503,
  },
  run: async (call) => {
    const { next, ...input } = call.input
    const account = await selectServiceContext(call.db, await authenticate(call, input), input)
    return signIn(call, 200, account, { how: 'password', next })
  },
})
