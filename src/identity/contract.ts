import { z } from 'zod'
import { Binding, KeyMode } from './api-keys/contract.ts'
import { roles } from '#lib/actor.ts'
import { Id } from '#lib/ids.ts'
import { Instant, Timestamp } from '#lib/time.ts'
import { words } from '#lib/words.ts'

const Role = z.enum(roles)
const principalType = z.enum(['user', 'agent', 'service', 'platform_super_admin'])

const email = z
  .string()
  .trim()
  .toLowerCase()
  .max(254, 'An e-mail address has at most 254 characters.')
  .pipe(z.email('Must be an e-mail address, such as ada@example.com.'))

const name = (what: string) => words(100, `${what} is missing.`).trim().min(1, `${what} is missing.`)

/** A switch: JSON's true, or the words that forms and queries send. */
const Flag = z.union([z.boolean(), z.stringbool()]).default(false)

const Slug = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9-]{1,46}[a-z0-9]$/,
    'Must be 3 to 48 lowercase letters, digits and inner hyphens, such as acme-coffee.',
  )

/** The page that a browser goes on to after signing in. */
const next = z.string().max(2000).optional()

const shortest = 10
const longest = 256

/** The characters as they count: one look, one password (NFKC). */
const normalized = (password: string): string => password.normalize('NFKC')

export const NewPassword = z
  .string()
  .transform(normalized)
  .refine((password) => [...password].length >= shortest, `Use at least ${shortest} characters.`)
  .refine((password) => [...password].length <= longest, `Use at most ${longest} characters.`)

/** IDN-01: a person, and with either flag an organization of theirs. */
export const Registration = z
  .object({
    email,
    password: NewPassword,
    name: name('Your name'),
    createOrganization: Flag,
    developerWorkspace: Flag,
    organizationName: name('The workspace’s name').optional(),
    organizationSlug: Slug.optional(),
    next,
  })
  .refine((input) => input.password.toLowerCase() !== input.email, {
    path: ['password'],
    message: 'The password must differ from the e-mail address.',
  })
export type Registration = z.infer<typeof Registration>

export const Credentials = z.object({
  email: words(254).trim().toLowerCase(),
  password: z.string().max(1024).transform(normalized),
  next,
})
export type Credentials = z.infer<typeof Credentials>

/** The page that a browser goes on to after signing out; the door when not said. */
export const LeaveTo = z.object({ next })

export const RefreshRequest = z.object({ refreshToken: z.string().max(200).optional() })

export const PasswordChange = z.object({
  currentPassword: z.string().max(1024).transform(normalized),
  password: NewPassword,
})
export type PasswordChange = z.infer<typeof PasswordChange>

/** One's own sign-in on one device (IDN-03). */
export const OwnSession = z.object({
  id: Id,
  createdAt: Timestamp,
  expiresAt: Timestamp.describe('When it ends without use.'),
  organization: z.string().nullable().describe('The name of the organization that is worked in; null for none.'),
  current: z.boolean(),
})
export type OwnSession = z.output<typeof OwnSession>

export const ProfileEdit = z.object({ name: name('Your name') })

/** What of an organization its owners may change. */
export const OrganizationEdit = z
  .object({ id: Id, name: name('The workspace’s name').optional(), slug: Slug.optional() })
  .refine((edit) => edit.name ?? edit.slug, 'Send a name or a slug.')
export type OrganizationEdit = z.infer<typeof OrganizationEdit>

/** Where to work from now on: an organization, or alone. */
export const ContextChoice = z.union(
  [z.object({ organizationId: Id }), z.object({ context: z.literal('personal') })],
  'Send { "organizationId": "…" } or { "context": "personal" }.',
)
export type ContextChoice = z.infer<typeof ContextChoice>

export const User = z.object({
  id: Id,
  email: z.string(),
  name: z.string(),
  principalType,
  launcherEligible: z.boolean(),
})

export const Organization = z.object({ id: Id, slug: z.string(), name: z.string(), role: Role })
export type Organization = z.infer<typeof Organization>

/** A browser gets the refresh token as a cookie alone (IDN-26). */
export const Tokens = z.object({
  accessToken: z.string(),
  refreshToken: z.string().optional(),
  expiresIn: z.number().int().describe('Seconds the access token lives.'),
})

export const SignedIn = Tokens.extend({ user: User, organization: Organization.nullable() })

/** The same where an answer may be a replay, which has no tokens. */
export const SignedUp = SignedIn.partial({ accessToken: true })

export const Me = z.object({
  user: User,
  context: z.enum(['personal', 'organization']),
  organization: Organization.nullable(),
  organizations: z.array(Organization),
})
export type Me = z.infer<typeof Me>

export const Member = z.object({
  id: Id,
  email: z.string(),
  name: z.string(),
  principalType,
  role: Role,
  joinedAt: Timestamp,
})
export type Member = z.infer<typeof Member>

/** What of a member other services are told. */
export const Colleague = Member.pick({ id: true, name: true, email: true })
export type Colleague = z.infer<typeof Colleague>

/** Somebody who was asked into an organization and has not come yet. */
export const Invitation = z.object({
  id: Id,
  email: z.string(),
  role: Role,
  invitedBy: z.object({ id: Id, name: z.string() }).nullable(),
  createdAt: Timestamp,
  expiresAt: Timestamp,
  expired: z.boolean(),
  delivery: z
    .object({ state: z.enum(['waiting', 'sent', 'refused', 'kept']), problem: z.string().nullable() })
    .nullable()
    .describe('How far the mail has come; null once that is forgotten.'),
})
export type Invitation = z.infer<typeof Invitation>

export const InvitationDraft = z.object({ id: Id, email, role: Role })

export const InvitationToken = z.object({ token: z.string().max(200) })

/** What a sign-up answers that has to be confirmed by mail: the same for known and unknown addresses (IDN-48). */
export const RegistrationPending = z.object({ status: z.literal('verification_sent'), email: z.string() })

export const ResendRequest = z.object({ email })

/** The browser that signed up needs no password; whoever comes with the link alone does. */
export const Confirmation = z.object({
  token: z.string().max(200),
  password: z.string().max(1024).transform(normalized).optional(),
})
export type Confirmation = z.infer<typeof Confirmation>

/** Signing up by an invitation, which names the e-mail address. */
export const InvitedRegistration = InvitationToken.extend({ name: name('Your name'), password: NewPassword })
export type InvitedRegistration = z.infer<typeof InvitedRegistration>

/** Becoming a super admin by a link: with a new account, or by the password of the one that is there. */
export const SuperAdminAcceptance = InvitationToken.extend({
  name: name('Your name').optional(),
  password: z.string().max(1024).transform(normalized),
})
export type SuperAdminAcceptance = z.infer<typeof SuperAdminAcceptance>

export const MemberEdit = z.object({ id: Id, userId: Id, role: Role })
export type MemberEdit = z.infer<typeof MemberEdit>

/** IDN-05: what stands behind a credential. */
export const Validation = z.object({
  valid: z.literal(true),
  tokenType: z.enum(['access', 'session', 'service', 'api_key']),
  context: z.enum(['personal', 'organization', 'service']),
  principal: z.object({
    id: Id,
    principalType,
    principalServices: z.array(z.string()).describe('Ids of the services in which the principal may do anything.'),
    launcherEligible: z.boolean(),
  }),
  organization: z.object({ id: Id, slug: z.string(), role: Role }).nullable(),
  permissions: z.array(z.string()),
  sessionId: Id.nullable(),
  apiKey: z
    .object({
      id: Id,
      mode: KeyMode,
      bindings: z.array(Binding).describe('All that the key reaches; empty: everything of its organization.'),
    })
    .nullable(),
  suspension: z
    .object({ organizationId: Id, name: z.string(), reason: z.string() })
    .nullable()
    .describe('Set while the organization is suspended: then there is no organization and there are no permissions.'),
  service: z.string().nullable().describe('The calling service’s slug.'),
  audience: z.string().nullable().describe('The only service that a service token is meant for.'),
  expiresAt: Timestamp.nullable().describe('Null for an API key without an end.'),
})
export type Validation = z.input<typeof Validation>

/** The same as its receiver reads it. */
export const ReceivedValidation = Validation.extend({ expiresAt: Instant.nullable() })

export const Service = z.object({ id: Id, slug: z.string(), name: z.string(), description: z.string() })

/** IDN-20: a service as the app switcher's catalog has it. */
export const CatalogService = Service.extend({
  icon: z.string().nullable(),
  surfaceKind: z.enum(['app', 'api', 'runtime', 'internal']),
  launchable: z.boolean(),
  webUrl: z.string().nullable().describe('Where its first page is, relative to the origin that answered.'),
})

/** An app that people open here. */
export const App = CatalogService.extend({ launchable: z.literal(true), webUrl: z.string() })
export type App = z.infer<typeof App>

const TileSize = z.enum(['small', 'medium', 'large'])

/** IDN-21. Without a theme the system's is followed. */
export const Preferences = z.object({
  favorites: z.array(Id),
  hidden: z.array(Id),
  tileSize: TileSize,
  theme: z.enum(['light', 'dark']).optional(),
})
export type Preferences = z.infer<typeof Preferences>

const services = z.array(Id).max(100, 'At most 100 services.').optional()

export const PreferencesEdit = z.object({
  favorites: services,
  hidden: services,
  tileSize: TileSize.optional(),
  theme: z.enum(['light', 'dark', 'system'], 'Must be light, dark or system.').optional(),
})
export type PreferencesEdit = z.infer<typeof PreferencesEdit>

export const Scope = z.object({ scope: z.string(), permission: z.string(), description: z.string() })

export const RoleBundle = z.object({ role: Role, permissions: z.array(z.string()) })

export const ServiceQuery = z.object({ id: Id })

/** Ids as one query parameter, with commas between them. */
export const PeopleQuery = z.object({
  ids: z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(Id).max(100, 'At most 100 ids.')),
})

/** A list that is answered whole. */
export const listOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), nextCursor: z.string().nullable() })

export const Person = z.object({ id: Id, name: z.string() })
export type Person = z.infer<typeof Person>

/** False also for an organization that isn't there. */
export const OrganizationState = z.object({ suspended: z.boolean() })

export const AccountsExist = z.object({ hasAccounts: z.boolean() })

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

/** One line of an organization's audit log (PLT-24). */
export const AuditEntry = z.object({
  id: Id,
  at: Timestamp,
  operation: z.string().describe('The operation’s name; the path of a page or webhook.'),
  outcome: z.enum(['done', 'refused']),
  principal: z.object({ id: Id, principalType: z.string() }).nullable(),
  credential: z.object({ kind: z.string(), id: z.string() }).nullable(),
  onBehalfOf: Id.nullable().describe('The person for whom a service acted.'),
  object: z.object({ kind: z.string(), id: z.string().nullable() }).nullable(),
  before: z.record(z.string(), z.unknown()).nullable().describe('The changed fields as they were, secrets hidden.'),
  after: z.record(z.string(), z.unknown()).nullable().describe('The changed fields as they are.'),
  address: z.string().nullable(),
  requestId: Id,
})
export type AuditEntry = z.output<typeof AuditEntry>

/** What narrows the log. A form sends what was left out as an empty text. */
const wish = <Wish extends z.ZodType>(schema: Wish) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional())

const AuditWord = words(200).trim().min(1)

export const AuditFilter = z.object({
  principalId: wish(Id),
  object: wish(AuditWord),
  objectId: wish(AuditWord),
  operation: wish(AuditWord),
  from: wish(Instant),
  to: wish(Instant),
})
