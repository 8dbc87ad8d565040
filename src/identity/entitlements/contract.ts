import { z } from 'zod'

const appSlug = z.string().regex(/^[a-z0-9][a-z0-9-]{1,62}$/, 'Must be an app’s slug, such as platform-pay.')

/** What an organization has paid for, as the checkout knows it (IDN-44). Third-party apps are never counted. */
export const Entitlement = z
  .object({
    mode: z.enum(['count', 'all', 'free']).describe('So many paid apps, every one, or none.'),
    paidAppCount: z.number().int().min(0).max(1000).optional().describe('With `count`: how many paid apps.'),
    appSlugs: z.array(appSlug).max(100).optional().describe('The only paid apps that it is for; any when left out.'),
    seats: z.number().int().min(1).max(1_000_000).optional().describe('People and agents; any number when left out.'),
  })
  .refine(({ mode, paidAppCount, appSlugs }) => mode !== 'count' || paidAppCount !== undefined || appSlugs, {
    path: ['paidAppCount'],
    message: 'The mode count needs a paidAppCount.',
  })
export type Entitlement = z.infer<typeof Entitlement>
