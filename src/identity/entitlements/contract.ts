import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { Timestamp } from '#lib/time.ts'

const appSlug = z.string().regex(/^[a-z0-9][a-z0-9-]{1,62}$/, 'Must be an app’s slug, such as platform-pay.')

/** The fields of an entitlement. */
export const terms = {
  mode: z.enum(['count', 'all', 'free']).describe('So many paid apps, every one, or none.'),
  paidAppCount: z.number().int().min(0).max(1000).optional().describe('With `count`: how many paid apps.'),
  appSlugs: z.array(appSlug).max(100).optional().describe('The only paid apps that it is for; any when left out.'),
  seats: z.number().int().min(1).max(1_000_000).optional().describe('People and agents; any number when left out.'),
}

/** What an organization has paid for, as the checkout knows it (IDN-44). Third-party apps are never counted. */
export const Entitlement = z
  .object(terms)
  .refine(({ mode, paidAppCount, appSlugs }) => mode !== 'count' || paidAppCount !== undefined || appSlugs, {
    path: ['paidAppCount'],
    message: 'The mode count needs a paidAppCount.',
  })
export type Entitlement = z.infer<typeof Entitlement>

export const EntitlementEdit = Entitlement.safeExtend({ id: Id })

const used = z.number().int()
const limit = z.number().int().nullable()

/** How many seats are taken: one by each human and each agent. Null stands for any number. */
export const Seats = z.object({ used, paid: limit, left: limit })
export type Seats = z.infer<typeof Seats>

/** An entitlement and what of it is in use: `used`, `allowed` and `left` are paid apps; null stands for any number. */
export const EntitlementState = z.object({ ...terms, used, allowed: limit, left: limit, seats: Seats })
export type EntitlementState = z.infer<typeof EntitlementState>

export const InstalledApp = z.object({
  id: Id,
  slug: z.string(),
  name: z.string(),
  description: z.string(),
  firstParty: z.boolean(),
  paid: z.boolean().describe('Whether it counts against the entitlement.'),
  removable: z.boolean().describe('False for what every workspace has.'),
  installedAt: Timestamp,
})
export type InstalledApp = z.output<typeof InstalledApp>

export const AppChoice = z.object({ id: Id, serviceId: Id })
