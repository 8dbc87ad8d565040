import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import type { EventId } from '#lib/webhook.ts'

const Reference = z
  .union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)])
  .nullish()
  .catch(null)

/** Of an invoice. */
const Parent = z
  .object({ subscription_details: z.object({ subscription: Reference }).nullish() })
  .nullish()
  .catch(null)

/** What we read of an object of the provider; members of other objects can have other types. */
const ProviderObject = z.looseObject({
  id: z.string().optional().catch(undefined),
  object: z.string(),
  metadata: z.record(z.string(), z.string()).nullish().catch(null),
  payment_intent: Reference,
  payment_link: Reference,
  charge: Reference,
  customer: Reference,
  subscription: Reference,
  parent: Parent,
})
export type ProviderObject = z.output<typeof ProviderObject>

export const ProviderEvent = z.object({
  id: z.string().min(1).max(200),
  type: z.string().min(1).max(200),
  livemode: z.boolean(),
  /** The connected account that it is of. */
  account: z.string().nullish().catch(null),
  data: z.object({ object: ProviderObject }),
})
export type ProviderEvent = z.output<typeof ProviderEvent>

/**
 * As it is stored: events of two accounts can’t be taken for one. Only the platform’s own account has objects of several
 * organizations, with metadata of ours: connected accounts write their own.
 *
 * @param owner The organization whose account it is, or null for the platform’s
 */
export function describeEvent({ id, type, account, data: { object } }: ProviderEvent, owner: string | null): EventId {
  const named = account ? undefined : Id.safeParse(object.metadata?.['organizationId']).data
  const organizationId = owner ?? named
  return {
    id: `${owner ?? 'platform'}:${id}`,
    type,
    ...(organizationId && { organizationId }),
    ...(object.id !== undefined && { objectId: object.id }),
  }
}

/** The provider’s ID of a stored event. */
export const providerIdOf = (eventId: string): string => eventId.slice(eventId.indexOf(':') + 1)
