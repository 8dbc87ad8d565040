import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { listOf } from '#lib/paginate.ts'
import { reply } from '#lib/reply.ts'
import {
  ConnectableProviders,
  ConnectedProviders,
  Providers,
  SsoFailure,
} from '#views/identity/sign-in/social-logins.tsx'
import { requireReauthentication } from '../second-factor/proof.ts'
import {
  IdentityStart,
  SignInProvider,
  Trouble,
  TroubleQuery,
  SocialLoginRedirect,
  ConnectedIdentity,
  SsoStart,
} from './contract.ts'
import { proofProblems } from '../second-factor/contract.ts'
import { getProofMethods } from '../second-factor/second-factor.operations.tsx'
import { disconnect, listConnectable, listIdentities as list } from './identities.ts'
import { startSocialLogin } from './social-login.ts'
import { explainTrouble } from './trouble.ts'

export const startSso = operation({
  route: 'POST /api/auth/sso/:provider',
  summary: 'Sign in with another provider',
  permission: 'public',
  limit: 'sign-in',
  input: SsoStart,
  output: SocialLoginRedirect,
  transaction: false,
  problems: { not_found: 404, provider_unreachable: 502 },
  run: (call) => startSocialLogin(call, call.input.provider, { userId: null, next: call.input.next }),
})

export const connectIdentity = operation({
  route: 'POST /api/auth/identities',
  summary: 'Connect a sign-in provider',
  permission: 'signed-in',
  limit: 'sign-in',
  input: IdentityStart,
  output: SocialLoginRedirect,
  transaction: false,
  problems: {
    not_found: 404,
    provider_unreachable: 502,
    ...proofProblems,
  },
  example: { provider: 'github', password: 'correct horse battery' },
  run: async (call) => {
    const { provider, ...proof } = call.input
    const { id } = await requireReauthentication(call, proof)
    return startSocialLogin(call, provider, { userId: id })
  },
})

export const listIdentities = operation({
  route: 'GET /api/auth/identities',
  summary: 'List connected sign-in providers',
  permission: 'signed-in',
  input: z.object({}),
  output: listOf(ConnectedIdentity),
  run: async (call) => ({ items: await list(call), nextCursor: null }),
  view: ({ items }) => <ConnectedProviders identities={items} />,
})

export const listConnectableProviders = operation({
  route: 'GET /api/auth/identities/providers',
  summary: 'List the sign-in providers that you can connect',
  permission: 'signed-in',
  input: z.object({}),
  output: listOf(SignInProvider),
  run: async (call) => ({ items: await listConnectable(call), nextCursor: null }),
  view: async ({ items }, { ask }) => <ConnectableProviders providers={items} ways={await ask(getProofMethods, {})} />,
})

export const explainSignInFailure = operation({
  route: 'GET /api/auth/sso-failure',
  summary: 'Explain a failed sign-in with a provider',
  permission: 'public',
  input: TroubleQuery,
  output: Trouble,
  example: { failure: 'denied', provider: 'github' },
  run: (call) => explainTrouble(call, call.input),
  view: (trouble) => <SsoFailure trouble={trouble} />,
})

export const disconnectIdentity = operation({
  route: 'DELETE /api/auth/identities/:id',
  summary: 'Disconnect a sign-in provider',
  permission: 'signed-in',
  input: z.object({ id: Id }),
  output: z.null(),
  problems: { last_sign_in_method: 409 },
  run: async (call) => {
    await disconnect(call, call.input.id)
    return reply(204, null, { next: '/settings/security', toast: 'Disconnected' })
  },
  view: async (_, { ask }) => {
    const [identities, providers, ways] = await Promise.all([
      ask(listIdentities, {}),
      ask(listConnectableProviders, {}),
      ask(getProofMethods, {}),
    ])
    return <Providers identities={identities.items} providers={providers.items} ways={ways} />
  },
})
