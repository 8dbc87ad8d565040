import { operation } from '#lib/operation.ts'
import { register as registerAccount, signIn } from './accounts.ts'
import { Credentials, Registration, SignedIn, SignedUp } from './contract.ts'
import { signedIn } from './signing-in.ts'

export const register = operation({
  route: 'POST /register',
  summary: 'Sign up, with an organization of one’s own when asked for',
  permission: 'public',
  limit: 'sign-in',
  input: Registration,
  output: SignedUp,
  creates: true,
  secrets: ['accessToken', 'refreshToken'],
  transaction: false,
  example: {
    email: 'ada@example.com',
    password: 'correct horse battery',
    name: 'Ada',
    createOrganization: true,
    organizationName: 'Acme',
  },
  run: async (call) => signedIn(call, 201, await registerAccount(call, call.input), call.input.next),
})

export const login = operation({
  route: 'POST /api/auth/login',
  summary: 'Sign in by password',
  permission: 'public',
  limit: 'sign-in',
  input: Credentials,
  output: SignedIn,
  transaction: false,
  run: async (call) => signedIn(call, 200, await signIn(call, call.input), call.input.next),
})
