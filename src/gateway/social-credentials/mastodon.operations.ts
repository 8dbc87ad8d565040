import { z } from 'zod'
import { operation } from '#lib/operation.ts'
import { ServerAddress } from '#lib/outbound/server-address.ts'
import { plainText } from '#lib/text.ts'
import { AuthorizedApp, SocialTokens, TokenHolder, TokenRevocation } from '../contract/social.ts'
import { authorize, exchange, refresh, revoke } from './mastodon.ts'
import { refreshOnce } from './refreshes/refresh-once.ts'
import { revokeWithStored } from './refreshes/revoke-with-stored.ts'
import { serviceOnly } from './service-only.ts'

const place = { provider: z.literal('mastodon'), instance: ServerAddress }
const text = (maxLength: number) => z.string().min(1).max(maxLength)
const unreachable = { provider_unreachable: 502, provider_error: 502 }

export const authorizeSocialAccount = operation({
  route: 'POST /platform/social/authorize',
  summary: 'Register an app at a network’s server',
  ...serviceOnly,
  input: z.object({ ...place, redirectUri: z.url().max(2000), scopes: z.array(plainText(100).min(1)).min(1).max(20) }),
  output: AuthorizedApp,
  problems: unreachable,
  run: (call) => authorize(call, call.input),
})

export const exchangeSocialCode = operation({
  route: 'POST /platform/social/exchange',
  summary: 'Exchange an authorization code for tokens',
  ...serviceOnly,
  input: z.object({
    ...place,
    redirectUri: z.url().max(2000),
    clientId: text(1000),
    code: text(4000),
    codeVerifier: text(200),
  }),
  output: SocialTokens,
  problems: { consent_refused: 409, ...unreachable },
  run: (call) => exchange(call, call.input),
})

export const refreshSocialTokens = operation({
  route: 'POST /platform/social/refresh',
  summary: 'Replace expired tokens of a connected account',
  ...serviceOnly,
  input: z.object({ ...place, account: TokenHolder, clientId: text(1000), refreshToken: text(4000) }),
  output: SocialTokens,
  problems: { refresh_refused: 409, ...unreachable },
  run: (call) => {
    const { account, ...grant } = call.input
    const { provider, instance, clientId, refreshToken } = grant
    const once = { account, app: [provider, instance, clientId], refreshToken, tokens: SocialTokens }
    return refreshOnce(call, once, (requesting) => refresh(requesting, grant))
  },
})

export const revokeSocialToken = operation({
  route: 'POST /platform/social/revoke',
  summary: 'Revoke a token of a connected account',
  ...serviceOnly,
  input: z.object({ ...place, account: TokenHolder.optional(), token: text(4000) }),
  output: TokenRevocation,
  problems: unreachable,
  run: (call) => revokeWithStored(call, call.input, (token) => revoke(call, { ...call.input, token })),
})
