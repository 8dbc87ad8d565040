import { and, eq } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { recordChange, auditedTransaction } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import { brokenConstraint } from '#lib/db.ts'
import { conflict, notFound, Problem } from '#lib/errors.ts'
import { presentedBy, type Organization } from '#identity'
import type { BrandTransfer } from '../contract.ts'
import { reportAccounts } from '../accounts/report.ts'
import { moveActions } from '../raised/move-actions.ts'
import { brands, connections } from '../schema.ts'
import { reachedBrand } from '../access.ts'
import { requireRoomForBrand, type BrandRow } from './brands.ts'
import { revokeLinksOfBrand } from '../guests/links.ts'
import { lockReviewedPosts, voidDecisionsOfBrand } from '../review/revoke-decisions.ts'
import { enqueueReport } from './report.ts'

/** @throws {Problem} 401 and 503 as identity does */
export async function listTargets(call: Call<unknown, Actor>): Promise<Organization[]> {
  const { organizations } = await call.identity.me(presentedBy(call.request))
  return organizations.filter(({ id }) => id !== call.actor.organization?.id)
}

/**
 * Only the reference changes, so accounts, posts and running attempts continue (SOC-02). @throws {Problem} 404, 403
 * when the caller can't create brands in the target, 409 for a taken slug or too many brands
 */
export async function transferBrand(
  call: Call<BrandTransfer, Actor>,
): Promise<{ brand: BrandRow; organization: Organization }> {
  const { brandId, targetOrganizationId } = call.input
  const { organizations } = await call.identity.me(presentedBy(call.request))
  const organization = organizations.find(({ id }) => id === targetOrganizationId)
  if (!organization) throw notFound('organization')
  await requirePermissionIn(call, organization)
  return { brand: await moveBrand(call, brandId, organization), organization }
}

/** @throws {Problem} 403 for a target that is suspended, needs a stronger session, or doesn't let the caller create brands */
async function requirePermissionIn(call: Call<unknown, Actor>, { id, name }: Organization): Promise<void> {
  const { identity, request } = call
  const held = await identity.permissionsIn(presentedBy(request), id)
  if (held.has(`${await identity.serviceId('platform-socialize')}.brands:write`)) return
  throw new Problem(
    403,
    'permission_missing',
    `You need the permission “brands:write” in ${name} to transfer a brand there. Ask an admin of ${name} for access.`,
    { members: { permission: 'brands:write' } },
  )
}

const moveBrand = (call: Call<unknown, Actor>, brandId: string, { id: organizationId, name }: Organization) =>
  auditedTransaction(call, async (tx) => {
    const own = and(eq(brands.id, brandId), reachedBrand(call.actor))
    const [found] = await tx.select().from(brands).where(own)
    if (!found) throw notFound('brand')
    if (found.organizationId === organizationId) return found
    // In the order in which guests and members lock them when they decide.
    await revokeLinksOfBrand(tx, brandId, call.now())
    await lockReviewedPosts(tx, brandId)
    const [before] = await tx.select().from(brands).where(own).for('update')
    if (!before) throw notFound('brand')
    await requireRoomForBrand(tx, organizationId)
    const [after = before] = await tx.update(brands).set({ organizationId }).where(own).returning()
    const change = { object: 'brand', id: brandId, before, after }
    recordChange(tx, change)
    recordChange(tx, { ...change, organizationId })
    await voidDecisionsOfBrand(tx, call, brandId)
    await enqueueReport({ ...call, db: tx }, [brandId])
    await reportAccounts(tx, call, eq(connections.brandId, brandId))
    await moveActions(tx, call, brandId)
    return after
  }).catch((error: unknown) => {
    throw brokenConstraint(error) === 'brands_slug' ? slugTaken(name) : error
  })

const slugTaken = (organization: string) =>
  conflict(
    'slug_taken',
    `A brand in ${organization} already uses this slug. Change the slug of this brand, then transfer it.`,
  )
