import { z } from 'zod'
import { ProofKey } from '#lib/dpop.ts'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { ServerAddress } from '#lib/outbound/server-address.ts'
import { BlueskyClient, BlueskyTokens, PushedConsent } from '../../contract/bluesky.ts'
import { TokenHolder, TokenRevocation } from '../../contract/social.ts'
import { refreshOnce } from '../refreshes/refresh-once.ts'
import { revokeWithStored } from '../refreshes/revoke-with-stored.ts'
import { serviceOnly } from '../service-only.ts'
import { confidentialClientId, scope } from './client.ts'
import { listPublicKeys } from './client-keys.ts'
import { exchange, push, refresh, revoke } from './tokens.ts'

const text = (maxLength: number) => z.string().min(1).max(maxLength)
const redirectUri = z.url({ protocol: /^https?$/ }).max(2000)
const server = { issuer: ServerAddress, proofKey: ProofKey }
const session = { ...server, clientId: text(4000), keyId: Id.nullable() }
const unreachable = {
  oauth_unsupported: 409,
  client_key_missing: 409,
  provider_unreachable: 502,
  provider_error: 502,
} as const

export const getBlueskyClient = operation({
  route: 'GET /platform/social/bluesky/client',
  summary: 'Get the OAuth client for Bluesky',
  ...serviceOnly,
  input: z.object({ redirectUri }),
  output: BlueskyClient,
  run: async (call) => ({
    clientId: confidentialClientId(call.input.redirectUri),
    scope,
    keys: await listPublicKeys(call),
  }),
})

export const pushBlueskyConsent = operation({
  route: 'POST /platform/social/bluesky/push',
  summary: 'Start a sign-in at Bluesky',
  ...serviceOnly,
  input: z.object({
    ...server,
    redirectUri,
    scope: text(500),
    state: text(200),
    codeChallenge: text(100),
    loginHint: text(300).optional(),
  }),
  output: PushedConsent,
  problems: { client_unreachable: 409, ...unreachable },
  run: (call) => push(call, call.input),
})

export const exchangeBlueskyCode = operation({
  route: 'POST /platform/social/bluesky/exchange',
  summary: 'Exchange Bluesky’s code for tokens',
  ...serviceOnly,
  input: z.object({ ...session, redirectUri, code: text(4000), codeVerifier: text(200) }),
  output: BlueskyTokens,
  problems: { consent_refused: 409, ...unreachable },
  run: (call) => exchange(call, call.input),
})

export const refreshBlueskyTokens = operation({
  route: 'POST /platform/social/bluesky/refresh',
  summary: 'Replace expired tokens of Bluesky',
  ...serviceOnly,
  input: z.object({ ...session, account: TokenHolder, refreshToken: text(8000) }),
  output: BlueskyTokens,
  problems: { refresh_refused: 409, ...unreachable },
  run: (call) => {
    const { account, ...grant } = call.input
    const { issuer, clientId, refreshToken } = grant
    const once = { account, app: ['bluesky', issuer, clientId], refreshToken, tokens: BlueskyTokens }
    return refreshOnce(call, once, (requesting) => refresh(requesting, grant))
  },
})

export const revokeBlueskyToken = operation({
  route: 'POST /platform/social/bluesky/revoke',
  summary: 'Revoke a token of Bluesky',
  ...serviceOnly,
  input: z.object({ ...session, account: TokenHolder.optional(), token: text(8000) }),
  output: TokenRevocation,
  problems: unreachable,
  run: (call) => revokeWithStored(call, call.input, (token) => revoke(call, { ...call.input, token })),
})
