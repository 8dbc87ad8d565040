import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import {
  ChosenApp,
  RequestSignature,
  SocialTokens,
  TokenHolder,
  TokenRevocation,
  UsableApps,
} from '../../contract/social.ts'
import { listAppCredentials } from './app-credentials.ts'
import { chooseApp, exchangeCode, refreshTokens, revokeToken } from './tokens.ts'
import { oauthProviders } from './networks.ts'
import { isSignedByApp } from './signed-request.ts'
import { refreshOnce } from '../refreshes/refresh-once.ts'
import { revokeWithStored } from '../refreshes/revoke-with-stored.ts'
import { serviceOnly } from '../service-only.ts'

const text = (maxLength: number) => z.string().min(1).max(maxLength)
const owner = { provider: z.enum(oauthProviders), organizationId: Id }
const client = { ...owner, clientId: text(1000) }
const failing = { app_missing: 409, provider_unreachable: 502, provider_error: 502 } as const

export const listUsableApps = operation({
  route: 'GET /platform/social/apps',
  summary: 'List networks that have app credentials',
  ...serviceOnly,
  input: z.object({ organizationId: Id }),
  output: UsableApps,
  run: async (call) => {
    const { organizationId } = call.input
    const found = await Promise.all(
      oauthProviders.map(async (provider) => {
        const [app] = await listAppCredentials(call, { provider, organizationId })
        return app ? [{ provider, mode: app.mode }] : []
      }),
    )
    return { items: found.flat() }
  },
})

export const authorizeWithApp = operation({
  route: 'POST /platform/social/apps/:provider/authorize',
  summary: 'Get the app for a network’s consent page',
  ...serviceOnly,
  input: z.object(owner),
  output: ChosenApp,
  problems: { app_missing: 409 },
  run: (call) => chooseApp(call, call.input),
})

export const exchangeWithApp = operation({
  route: 'POST /platform/social/apps/:provider/exchange',
  summary: 'Exchange a network’s code for tokens',
  ...serviceOnly,
  input: z.object({ ...client, redirectUri: z.url().max(2000), code: text(4000), codeVerifier: text(200).optional() }),
  output: SocialTokens,
  problems: { consent_refused: 409, ...failing },
  run: (call) => exchangeCode(call, call.input),
})

export const refreshWithApp = operation({
  route: 'POST /platform/social/apps/:provider/refresh',
  summary: 'Replace expired tokens with a network’s app',
  ...serviceOnly,
  input: z.object({ ...client, account: TokenHolder, refreshToken: text(4000) }),
  output: SocialTokens,
  problems: { refresh_refused: 409, ...failing },
  run: (call) => {
    const { account, ...grant } = call.input
    const { provider, organizationId, clientId, refreshToken } = grant
    const refresh = { account, app: [provider, organizationId, clientId], refreshToken, tokens: SocialTokens }
    return refreshOnce(call, refresh, (requesting) => refreshTokens(requesting, grant))
  },
})

export const revokeWithApp = operation({
  route: 'POST /platform/social/apps/:provider/revoke',
  summary: 'Revoke a token with a network’s app',
  ...serviceOnly,
  input: z.object({ ...client, account: TokenHolder.optional(), token: text(4000) }),
  output: TokenRevocation,
  problems: failing,
  run: (call) => revokeWithStored(call, call.input, (token) => revokeToken(call, { ...call.input, token })),
})

export const verifySignedRequest = operation({
  route: 'POST /platform/social/apps/:provider/verify',
  summary: 'Verify what a network signed for an app',
  ...serviceOnly,
  input: z.object({
    provider: z.literal('instagram'),
    organizationId: Id.nullable().describe('Null for the platform’s app.'),
    clientId: text(1000).nullable().describe('Null for any of its apps.'),
    signedRequest: text(8000),
  }),
  output: RequestSignature,
  run: async (call) => ({ valid: await isSignedByApp(call, call.input) }),
})
