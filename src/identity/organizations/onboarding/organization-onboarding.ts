import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { recordChange } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { conflict, notFound } from '#lib/errors.ts'
import { organizationOnboardings, serviceAccess } from '../../schema.ts'
import { requireActiveOrganization } from '../organizations.ts'
import type { OnboardingRef, OnboardingStepEdit } from './contract.ts'

type ActorCall = Pick<Call<unknown, Actor>, 'db' | 'actor' | 'now'>

type StoredOnboarding = Omit<typeof organizationOnboardings.$inferSelect, 'updatedAt'>

const maxSteps = 20

const at = ({ id, serviceId }: OnboardingRef) =>
  and(eq(organizationOnboardings.organizationId, id), eq(organizationOnboardings.serviceId, serviceId))

/** @throws {Problem} 404 for another organization, and for a service that it doesn't have */
export async function readOrganizationOnboarding(
  { db, actor }: ActorCall,
  ref: OnboardingRef,
): Promise<StoredOnboarding> {
  await requireServiceIn({ db, actor }, ref)
  return loadOrganizationOnboarding(db, ref)
}

export async function loadOrganizationOnboarding(db: Database, ref: OnboardingRef): Promise<StoredOnboarding> {
  const [row] = await db.select().from(organizationOnboardings).where(at(ref))
  return row ?? { organizationId: ref.id, serviceId: ref.serviceId, steps: {}, completedAt: null }
}

/** @throws {Problem} 404 as `readOrganizationOnboarding`, 409 once it is completed and beyond 20 steps */
export async function saveOrganizationStep(
  call: ActorCall,
  { step, outcome, ...ref }: OnboardingStepEdit,
): Promise<StoredOnboarding> {
  await requireServiceIn(call, ref)
  const steps = { [step]: outcome }
  const [row] = await call.db
    .insert(organizationOnboardings)
    .values({ organizationId: ref.id, serviceId: ref.serviceId, steps, updatedAt: call.now() })
    .onConflictDoUpdate({
      target: [organizationOnboardings.organizationId, organizationOnboardings.serviceId],
      set: { steps: sql`${organizationOnboardings.steps} || ${JSON.stringify(steps)}::jsonb`, updatedAt: call.now() },
      setWhere: isNull(organizationOnboardings.completedAt),
    })
    .returning()
  if (!row) throw conflict('onboarding_completed', 'The onboarding is already completed.')
  if (Object.keys(row.steps).length > maxSteps)
    throw conflict('too_many_steps', `An onboarding can have at most ${maxSteps} steps.`)
  return row
}

/** Idempotent. @throws {Problem} 404 as `readOrganizationOnboarding` */
export async function completeOrganizationOnboarding(call: ActorCall, ref: OnboardingRef): Promise<StoredOnboarding> {
  await requireServiceIn(call, ref)
  const completedAt = call.now()
  const [row] = await call.db
    .insert(organizationOnboardings)
    .values({ organizationId: ref.id, serviceId: ref.serviceId, steps: {}, completedAt, updatedAt: completedAt })
    .onConflictDoUpdate({
      target: [organizationOnboardings.organizationId, organizationOnboardings.serviceId],
      set: { completedAt, updatedAt: completedAt },
      setWhere: isNull(organizationOnboardings.completedAt),
    })
    .returning()
  if (!row) return loadOrganizationOnboarding(call.db, ref)
  recordChange(call.db, { object: 'organization', id: ref.id, after: { onboarded: true } })
  return row
}

async function requireServiceIn(
  { db, actor }: Pick<ActorCall, 'db' | 'actor'>,
  { id, serviceId }: OnboardingRef,
): Promise<void> {
  requireActiveOrganization(actor, id)
  const [access] = await db
    .select({ serviceId: serviceAccess.serviceId })
    .from(serviceAccess)
    .where(and(eq(serviceAccess.organizationId, id), eq(serviceAccess.serviceId, serviceId)))
  if (!access) throw notFound('service')
}
