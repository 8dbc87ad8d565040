import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { FormatLanguage, TimeZone } from '#lib/time.ts'
import { principalType, name } from './fields.ts'
import { Organization } from './organizations.ts'

export const ProfileEdit = z.object({ name: name('your name') })

export const User = z.object({
  id: Id,
  email: z.string(),
  emailVerified: z
    .boolean()
    .describe('Whether the user has verified the address. Don’t match accounts by an unverified address.'),
  name: z.string(),
  principalType,
  launcherEligible: z.boolean(),
})

/** Null in an organization's context (IDN-15). */
export const selectedHousehold = {
  selectedHouseholdId: Id.nullable(),
  selectedHousehold: z.object({ id: Id, name: z.string() }).nullable(),
}

export const Me = z.object({
  user: User,
  context: z.enum(['personal', 'organization']),
  organization: Organization.nullable(),
  organizations: z.array(Organization),
  ...selectedHousehold,
})
export type Me = z.infer<typeof Me>

const TileSize = z.enum(['small', 'medium', 'large'])

/** Without a theme, the system's is used (IDN-21). */
export const Preferences = z.object({
  favorites: z.array(Id),
  hidden: z.array(Id),
  tileSize: TileSize,
  theme: z.enum(['light', 'dark']).optional(),
  timeZone: z
    .string()
    .optional()
    .describe('The time zone of times in pages, as an IANA name. Defaults to the browser’s.'),
  language: FormatLanguage.optional().describe('The language of dates and times in pages. Defaults to `en-GB`.'),
  hourCycle: z
    .enum(['h12', 'h23'])
    .optional()
    .describe('The clock format of times in pages. Defaults to the language’s.'),
})
export type Preferences = z.infer<typeof Preferences>

const services = z.array(Id).max(100, 'Must have at most 100 services.').optional()

export const PreferencesEdit = z.object({
  favorites: services,
  hidden: services,
  tileSize: TileSize.optional(),
  theme: z.enum(['light', 'dark', 'system'], 'Must be light, dark or system.').optional(),
  timeZone: z
    .union([z.literal('system'), TimeZone], 'Must be system, or an IANA time zone, such as Europe/Berlin.')
    .optional(),
  language: FormatLanguage.optional(),
  hourCycle: z.enum(['h12', 'h23', 'system'], 'Must be h12, h23 or system.').optional(),
})
export type PreferencesEdit = z.infer<typeof PreferencesEdit>

/** A field that isn't sent stays as it is. */
export const AppPreferences = z.object({ id: Id, favorite: z.boolean().optional(), hidden: z.boolean().optional() })
export type AppPreferences = z.infer<typeof AppPreferences>

export const PeopleQuery = z.object({
  ids: z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(Id).max(100, 'Must have at most 100 IDs.')),
})

export const LiveSession = z.object({ id: Id })

export const NamesQuery = PeopleQuery.extend({ id: Id })

/** An API key, or a resource to which credentials can be bound, such as a brand. */
export const NamedResource = z.object({ id: Id, name: z.string() })

export const Person = z.object({ id: Id, name: z.string() })
export type Person = z.infer<typeof Person>

export const SecondFactorProof = z.object({ verified: z.literal(true) })

export const AccountsStatus = z.object({ hasAccounts: z.boolean() })
