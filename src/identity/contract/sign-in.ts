import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { Timestamp } from '#lib/time.ts'
import { words } from '#lib/words.ts'
import { email, name, Flag, Slug, next, normalizePassword, NewPassword } from './fields.ts'
import { Organization, InvitationToken } from './organizations.ts'
import { ContextRef, ServiceRef } from './services.ts'
import { selectedHousehold, User } from './people.ts'

/** IDN-01: a person, and with either flag an organization of theirs. */
export const Registration = z.object({
  email,
  password: NewPassword,
  name: name('Your name'),
  createOrganization: Flag,
  developerWorkspace: Flag,
  organizationName: name('The workspace’s name').optional(),
  organizationSlug: Slug.optional(),
  next,
})
export type Registration = z.infer<typeof Registration>

export const Credentials = z.object({
  email: words(254).trim().toLowerCase(),
  password: z.string().max(1024).transform(normalizePassword),
  next,
  service_id: ServiceRef.optional().describe('The service to sign in to: the context becomes one that has it.'),
  context: ContextRef,
})
export type Credentials = z.infer<typeof Credentials>

/** The page that a browser goes on to after signing out; the door when not said. */
export const LeaveTo = z.object({ next })

export const RefreshRequest = z.object({ refreshToken: z.string().max(200).optional() })

export const PasswordChange = z.object({
  currentPassword: z.string().max(1024).transform(normalizePassword),
  password: NewPassword,
})
export type PasswordChange = z.infer<typeof PasswordChange>

/** One's own sign-in on one device (IDN-03). */
export const OwnSession = z.object({
  id: Id,
  device: z
    .string()
    .nullable()
    .describe('What it calls itself, such as Firefox on Windows; null when it says nothing.'),
  address: z.string().nullable().describe('From where it was opened.'),
  method: z.enum(['password', 'passkey', 'link', 'upstream', 'registration']).describe('How it was opened.'),
  createdAt: Timestamp,
  lastUsedAt: Timestamp.describe('To five minutes.'),
  expiresAt: Timestamp.describe('When it ends without use.'),
  organization: z.string().nullable().describe('The name of the organization that is worked in; null for none.'),
  app: z
    .string()
    .nullable()
    .describe('The name of the service that one arrived at from another session; null for none.'),
  current: z.boolean(),
})
export type OwnSession = z.output<typeof OwnSession>

/** Somebody gave a wrong password or code for one's account. */
export const RefusedSignIn = z.object({ at: Timestamp, address: z.string().nullable() })
export type RefusedSignIn = z.output<typeof RefusedSignIn>

/** Where to work from now on: an organization, or alone. */
export const ContextChoice = z.union(
  [z.object({ organizationId: Id }), z.object({ context: z.literal('personal') })],
  'Send { "organizationId": "…" } or { "context": "personal" }.',
)
export type ContextChoice = z.infer<typeof ContextChoice>

/** A browser gets the refresh token as a cookie alone (IDN-26). */
export const Tokens = z.object({
  accessToken: z.string(),
  refreshToken: z.string().optional(),
  expiresIn: z.number().int().describe('Seconds the access token lives.'),
})

export const SignedIn = Tokens.extend({ user: User, organization: Organization.nullable(), ...selectedHousehold })

/** The same where an answer may be a replay, which has no tokens. */
export const SignedUp = SignedIn.partial({ accessToken: true })

/** What a sign-up answers that has to be confirmed by mail: the same for known and unknown addresses (IDN-48). */
export const RegistrationPending = z.object({ status: z.literal('verification_sent'), email: z.string() })

export const ResendRequest = z.object({ email })

/** The browser that signed up needs no password; whoever comes with the link alone does. */
export const Confirmation = z.object({
  token: z.string().max(200),
  password: z.string().max(1024).transform(normalizePassword).optional(),
})
export type Confirmation = z.infer<typeof Confirmation>

/** Becoming a super admin by a link: with a new account, or by the password of the one that is there. */
export const SuperAdminAcceptance = InvitationToken.extend({
  name: name('Your name').optional(),
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
