import { z } from 'zod'
import { fetchFromProvider } from './fetch-from-provider.ts'
import type { ProviderContext, Protocol, Provider } from './provider.ts'
import { verifiedEmail } from './verified-email.ts'

const scopes = ['read:user', 'user:email']

/** Also GitHub Enterprise Server: OAuth 2 with a user API instead of ID tokens. */
export const github: Protocol = {
  authorizeUrl: async ({ issuer, clientId }, { state, codeVerifier, redirectUri }) => {
    const { CodeChallengeMethod, OAuth2Client } = await import('arctic')
    return new OAuth2Client(clientId, null, redirectUri).createAuthorizationURLWithPKCE(
      `${issuer}/login/oauth/authorize`,
      state,
      CodeChallengeMethod.S256,
      codeVerifier,
      scopes,
    )
  },
  identify: async (provider, { code }, { redirectUri, codeVerifier }, context) => {
    const { clientId, clientSecret, issuer } = provider
    const grant = { code, redirect_uri: redirectUri, code_verifier: codeVerifier }
    const { access_token } = await fetchFromProvider(context, Token, `${issuer}/login/oauth/access_token`, {
      method: 'POST',
      body: new URLSearchParams({ ...grant, client_id: clientId, client_secret: clientSecret }),
    })
    const [user, emails] = await Promise.all([
      fetchApi(context, User, provider, '/user', access_token),
      fetchApi(context, z.array(Email), provider, '/user/emails', access_token),
    ])
    const email = emails.find(({ primary, verified }) => primary && verified)
    return {
      issuer,
      subject: String(user.id),
      name: user.name ?? user.login,
      verifiedEmail: verifiedEmail(email?.email, email?.verified),
    }
  },
}

const Token = z.object({ access_token: z.string() })
const User = z.object({ id: z.int(), login: z.string(), name: z.string().nullish() })
const Email = z.object({ email: z.string().max(254), primary: z.boolean(), verified: z.boolean() })

const fetchApi = <Answer>(
  context: ProviderContext,
  schema: z.ZodType<Answer>,
  { issuer }: Provider,
  path: string,
  token: string,
) => fetchFromProvider(context, schema, apiOf(issuer) + path, { headers: { authorization: `Bearer ${token}` } })

const apiOf = (issuer: string): string =>
  issuer === 'https://github.com' ? 'https://api.github.com' : `${issuer}/api/v3`
