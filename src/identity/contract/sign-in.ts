import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { Timestamp } from '#lib/time.ts'
import { plainText } from '#lib/text.ts'
import { email, name, Flag, Role, Slug, next, normalizePassword, NewPassword } from './fields.ts'
import { Organization, InvitationToken } from './organizations.ts'
import { ContextRef, ServiceRef } from './services.ts'
import { selectedHousehold, User } from './people.ts'

/** With either flag, an organization is created as well (IDN-01). */
export const Registration = z.object({
  email,
  password: NewPassword,
  name: name('your name'),
  createOrganization: Flag,
  developerWorkspace: Flag,
  organizationName: name('the organization’s name').optional(),
  organizationSlug: Slug.optional(),
  next,
})
export type Registration = z.infer<typeof Registration>

export const Credentials = z.object({
  email: plainText(254).trim().toLowerCase(),
  password: z.string().max(1024).transform(normalizePassword),
  next,
  service_id: ServiceRef.optional().describe(
    'The service to sign in to. The session opens in a context that has the service.',
  ),
  context: ContextRef,
})
export type Credentials = z.infer<typeof Credentials>

/** Defaults to the sign-in page. */
export const SignOutRequest = z.object({ next })

export const RefreshRequest = z.object({ refreshToken: z.string().max(200).optional() })

export const PasswordChange = z.object({
  currentPassword: z.string().max(1024).transform(normalizePassword),
  password: NewPassword,
})
export type PasswordChange = z.infer<typeof PasswordChange>

export const OwnSession = z.object({
  id: Id,
  device: z.string().nullable().describe('Browser and system, such as Firefox on Windows; null when unknown.'),
  address: z.string().nullable().describe('The IP address that opened the session.'),
  method: z.enum(['password', 'passkey', 'link', 'sso', 'registration']).describe('How the user signed in.'),
  createdAt: Timestamp,
  lastUsedAt: Timestamp.describe('Accurate to five minutes.'),
  expiresAt: Timestamp.describe('When the session expires if it isn’t used.'),
  organization: z
    .string()
    .nullable()
    .describe('The name of the session’s active organization; null in the personal context.'),
  app: z
    .string()
    .nullable()
    .describe('The name of the service that the session belongs to; null for a direct sign-in.'),
  current: z.boolean(),
})
export type OwnSession = z.output<typeof OwnSession>

export const RefusedSignIn = z.object({ at: Timestamp, address: z.string().nullable() })
export type RefusedSignIn = z.output<typeof RefusedSignIn>

export const ContextChoice = z.union(
  [z.object({ organizationId: Id }), z.object({ context: z.literal('personal') })],
  'Send { "organizationId": "…" } or { "context": "personal" }.',
)
export type ContextChoice = z.infer<typeof ContextChoice>

/** A browser gets the refresh token only as a cookie (IDN-26). */
export const Tokens = z.object({
  accessToken: z.string(),
  refreshToken: z.string().optional(),
  expiresIn: z.number().int().describe('Seconds until the access token expires.'),
})

export const SignInResult = Tokens.extend({ user: User, organization: Organization.nullable(), ...selectedHousehold })

/** A replayed response has no tokens. */
export const SignUpResult = SignInResult.partial({ accessToken: true })

/** The same for known and unknown addresses (IDN-48). */
export const RegistrationPending = z.object({ status: z.literal('verification_sent'), email: z.string() })

export const ResendRequest = z.object({ email })

export const RegistrationLink = z.object({
  email: z.string(),
  needsPassword: z
    .boolean()
    .describe('Whether the password is required to confirm. It isn’t in the browser that signed up.'),
})
export type RegistrationLink = z.infer<typeof RegistrationLink>

/** The browser that signed up needs no password; a link that is opened elsewhere does. */
export const Confirmation = z.object({
  token: z.string().max(200),
  password: z.string().max(1024).transform(normalizePassword).optional(),
})
export type Confirmation = z.infer<typeof Confirmation>

/** A new account needs a name and password; an existing one its password. */
export const SuperAdminAcceptance = InvitationToken.extend({
  name: name('your name').optional(),
  password: z.string().max(1024).transform(normalizePassword),
})
export type SuperAdminAcceptance = z.infer<typeof SuperAdminAcceptance>

export const PublicKeys = z.object({
  keys: z.array(
    z.object({
      kty: z.literal('OKP'),
      crv: z.literal('Ed25519'),
      alg: z.literal('EdDSA'),
      use: z.literal('sig'),
      kid: Id,
      x: z.string(),
    }),
  ),
})

export const SignInOptions = z.object({
  providers: z.array(z.object({ id: z.string(), name: z.string() })).describe('The server’s other sign-in providers.'),
  authority: z
    .object({ service: z.string(), origin: z.string(), host: z.string() })
    .nullable()
    .describe('The URL of the sign-in page on another service’s host; null on that host itself.'),
  demo: z
    .object({
      password: z.string(),
      people: z
        .array(z.object({ role: Role, name: z.string(), email: z.string() }))
        .describe('Empty until you run `bun run seed`.'),
    })
    .nullable()
    .describe('Demo accounts of a development server that only this computer can reach.'),
})
export type SignInOptions = z.output<typeof SignInOptions>
