import { presentedBy } from '#identity'
import type { Actor } from '#lib/actor.ts'
import { auditedTransaction, recordChange } from '#lib/audit.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import { conflict } from '#lib/errors.ts'
import { readCatalog } from '../catalog/list.ts'
import type { Catalog } from '../catalog/contract.ts'
import type { AppSelection } from './contract.ts'

const ownSlug = 'platform-dashboard-api'

/** The step's outcome is stored with the apps installed: repeated, it changes nothing. @throws {Problem} 402, 409, 422 */
export async function chooseApps(call: Call<AppSelection, Actor>): Promise<Catalog> {
  const { actor, identity, input, request } = call
  const organizationId = organizationOf(actor, 'apps:write')
  const { organization: open } = await identity.onboarding(presentedBy(request))
  // Else a page left open would uninstall what was chosen since.
  if (open?.id !== organizationId)
    throw conflict('onboarding_completed', 'The onboarding is already completed. Install apps under Apps.')
  await identity.chooseApps(organizationId, { apps: input.apps, by: actor.principal.id })
  await auditedTransaction(call, async (tx) =>
    recordChange(tx, { object: 'organization', id: organizationId, after: { apps: input.apps.length } }),
  )
  const serviceId = await identity.serviceId(ownSlug)
  await identity.finishOnboardingStep(presentedBy(request), { organizationId, serviceId, step: 'apps' })
  return readCatalog(call, { view: 'all', limit: 100 })
}
