import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { principalType, name } from './fields.ts'
import { Organization } from './organizations.ts'

export const ProfileEdit = z.object({ name: name('Your name') })

export const User = z.object({
  id: Id,
  email: z.string(),
  emailVerified: z
    .boolean()
    .describe('Whether the address is known to be the person’s own. Match no accounts by one that isn’t.'),
  name: z.string(),
  principalType,
  launcherEligible: z.boolean(),
})

/** What hangs on the personal context (IDN-15): null in an organization’s. */
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

/** Ids as one query parameter, with commas between them. */
export const PeopleQuery = z.object({
  ids: z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(Id).max(100, 'At most 100 ids.')),
})

export const Person = z.object({ id: Id, name: z.string() })
export type Person = z.infer<typeof Person>

export const AccountsExist = z.object({ hasAccounts: z.boolean() })
