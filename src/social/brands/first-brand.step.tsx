import { z } from 'zod'
import type { OnboardingStep, StepCall } from '#lib/onboarding-step.ts'
import { FirstBrandStep } from '#views/social/brands/first-brand-step.tsx'
import { readPermissions } from '../access.ts'
import type { Integration } from '../contract.ts'
import { Unconnected, unconnectedOf } from '../http/unconnected.ts'
import { listIntegrations } from '../accounts/integrations.operations.tsx'
import { countBrands } from './brands.ts'
import { listBrands } from './brands.operations.tsx'

/** Left out where Social isn't installed, since no one has its permissions there. */
export const firstBrandStep: OnboardingStep = {
  step: 'brand',
  title: 'First brand',
  rank: 50,
  scope: 'organization',
  optional: true,
  find: async (call) => {
    const { db, actor } = call
    const check = await readPermissions(call)
    if (!actor.organization || !check('brands:write')) return null
    return { done: (await countBrands(db, actor.organization.id)) > 0 }
  },
  draw: async (call, frame) => {
    const { ask, actor, identity } = call
    const { items } = await ask(listBrands, { limit: 1 })
    const brand = items[0] ?? null
    const networks = brand && (await listOffered(call, brand.id))
    const timeZone = actor.organization ? (await identity.organizationState(actor.organization.id)).timeZone : null
    const { unconnected } = unconnectedOf(Returned.parse(Object.fromEntries(call.request.url.searchParams)))
    const props = { brand, networks, timeZone, unconnected, frame }
    return () => <FirstBrandStep {...props} />
  },
}

/** From a network’s consent page. */
const Returned = z.object(Unconnected)

/** The others are on the page of accounts. */
const maxNetworks = 6

/** Networks with accounts of the brand, then those that can be connected; null without the permission. */
async function listOffered(call: StepCall, brandId: string): Promise<Integration[] | null> {
  const check = await readPermissions(call)
  if (!check('accounts:read', brandId)) return null
  const { items } = await call.ask(listIntegrations, { brandId })
  const isConnected = ({ connections }: Integration) => connections.some(({ active }) => active)
  const connected = items.filter(isConnected)
  const others = items.filter((each) => !isConnected(each) && each.can.connect)
  return [...connected, ...others].slice(0, maxNetworks)
}
