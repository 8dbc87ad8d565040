import type { Actor } from '#lib/actor.ts'
import { isAllowed, serviceIdOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import type { Context } from '#lib/context.ts'
import { scopeOf } from '#lib/http/routes.ts'

export interface Homes {
  /** Those in other processes too, which can be behind the same address. */
  product: readonly Context[]
  running: () => readonly Context[]
}

/** The dashboard, if it runs on this host and the person can open it, else the first home of the host. */
export async function findHome(
  { product, running }: Homes,
  call: Pick<Call, 'hosts' | 'identity' | 'request'>,
  actor: Actor,
): Promise<string | undefined> {
  if (!actor.organization) return undefined
  const { isOpen } = scopeOf(call.hosts, call.request.url.hostname)
  const start = running().find((context) => context.startsHere && isOpen(context))
  if (start && (await canOpenHome(start, call, actor))) return start.home
  return product.find((context) => context.home !== undefined && !context.startsHere && isOpen(context))?.home
}

async function canOpenHome(context: Context, { identity }: Pick<Call, 'identity'>, actor: Actor): Promise<boolean> {
  const page = context.pages.find(({ path }) => path === context.home)
  return page !== undefined && isAllowed(actor, page.permission, await serviceIdOf(context, identity.serviceId))
}
