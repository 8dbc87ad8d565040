import type { Call } from '#lib/call.ts'
import { AdminOrganizationView, type AdminOrganizationProps } from '#views/identity/admin/organization.tsx'
import { listOrganizationServices } from '../registry/access.operations.tsx'
import { getOrganizationForAdmin } from './admin.operations.tsx'

/** @throws {Problem} 404 */
export async function loadOrganization({ ask }: Pick<Call, 'ask'>, id: string): Promise<AdminOrganizationProps> {
  const [organization, { items }] = await Promise.all([
    ask(getOrganizationForAdmin, { id }),
    ask(listOrganizationServices, { id }),
  ])
  return { organization, services: items }
}

/** An organization whose state has changed. */
export const drawOrganization = async (call: Pick<Call, 'ask'>, id: string) => (
  <AdminOrganizationView {...await loadOrganization(call, id)} />
)
