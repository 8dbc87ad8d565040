import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { listOf } from '#lib/paginate.ts'
import { reply } from '#lib/reply.ts'
import { requireReauthentication } from '../second-factor/proof.ts'
import { IdentityStart, UpstreamAddress, UpstreamIdentity, UpstreamStart } from './contract.ts'
import { proofProblems } from '../second-factor/contract.ts'
import { disconnect, listIdentities as list } from './identities.ts'
import { startSocialLogin } from './social-login.ts'

export const startUpstreamSignIn = operation({
  route: 'POST /api/auth/upstream/:provider',
  summary: 'Sign in with another provider',
  permission: 'public',
  limit: 'sign-in',
  input: UpstreamStart,
  output: UpstreamAddress,
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
  output: UpstreamAddress,
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
  output: listOf(UpstreamIdentity),
  run: async (call) => ({ items: await list(call), nextCursor: null }),
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
})
