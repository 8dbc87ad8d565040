import { operation } from '#lib/operation.ts'
import { signIn } from './accounts.ts'
import { Credentials, SignedIn } from './contract.ts'
import { signedIn } from './signing-in.ts'

export const login = operation({
  route: 'POST /api/auth/login',
  summary: 'Sign in by password',
  permission: 'public',
  limit: 'sign-in',
  input: Credentials,
  output: SignedIn,
  transaction: false,
  problems: { invalid_credentials: 401, second_factor_required: 401, sign_in_slowed: 429, busy: 503 },
  run: async (call) => signedIn(call, 200, await signIn(call, call.input), { how: 'password', next: call.input.next }),
})
