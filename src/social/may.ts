import type { Actor, ServicePermission } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { reply, type Reply } from '#lib/reply.ts'
import type { NoBrandProps } from '#views/social/no-brand.tsx'

type Asking = Pick<Call<unknown, Actor>, 'identity' | 'actor'>

/** Whether the caller holds a permission of this service: what the views show depends on it. */
export async function may({ identity, actor }: Asking, permission: ServicePermission): Promise<boolean> {
  return actor.permissions.has(`${await identity.serviceId('platform-socialize')}.${permission}`)
}

/** What a page of a workspace without a brand shows. */
export const withoutBrand = async (call: Asking): Promise<Reply<NoBrandProps>> =>
  reply(200, { mayMakeBrand: await may(call, 'brands:write') })
