import { eq, sql } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { recordChange } from '#lib/audit.ts'
import type { Database } from '#lib/db.ts'
import { conflict, notFound } from '#lib/errors.ts'
import type { OnboardingStep, StepCall } from '#lib/onboarding-step.ts'
import { loadOrganizationOnboarding } from '../../organizations/onboarding/organization-onboarding.ts'
import { requireServiceBySlug } from '../../registry/services.ts'
import { personOnboardings } from '../../schema.ts'
import { personOf } from '../caller.ts'
import type { Onboarding, OwnStepEdit } from './contract.ts'

/** People and their organizations are set up for the dashboard, whose id differs between environments. */
const onboardedService = 'platform-dashboard-api'

const nothing: Onboarding = { steps: [], next: null, organization: null, completed: true }

/** From stored facts, so that it continues after any interruption, in every browser and on every server. */
export async function findOnboarding(call: StepCall): Promise<Onboarding> {
  if (!isAsked(call.actor)) return nothing
  const [own, organization] = await Promise.all([
    readOwnSteps(call.db, call.actor.principal.id),
    findOpenOrganization(call),
  ])
  const offered = call.onboardingSteps.filter(({ scope }) => scope === 'person' || organization)
  const outcomes = { ...organization?.steps, ...own }
  const states = await Promise.all(offered.map(async (step) => describe(step, await step.find(call), outcomes)))
  const steps = states.filter((state) => state !== null)
  const next = steps.find(({ done, skipped }) => !done && !skipped)?.step ?? null
  return { steps, next, organization: organization?.ref ?? null, completed: next === null && organization === null }
}

type Outcomes = Readonly<Record<string, 'done' | 'skipped'>>

function describe(
  { step, title, optional }: OnboardingStep,
  found: { done: boolean } | null,
  outcomes: Outcomes,
): Onboarding['steps'][number] | null {
  if (!found) return null
  const outcome = optional ? outcomes[step] : undefined
  const done = found.done || outcome === 'done'
  return { step, title, optional, done, skipped: !done && outcome === 'skipped' }
}

/** Sessions of an organization's SSO can't change personal data. */
const isAsked = ({ tokenType, app, onlyIn, principal }: Actor): boolean =>
  (tokenType === 'session' || tokenType === 'access') && app === null && !onlyIn && principal.principalType === 'user'

/** Only its owners set it up, once. */
async function findOpenOrganization({ db, actor: { organization } }: StepCall) {
  if (organization?.role !== 'owner') return null
  const { id: serviceId } = await requireServiceBySlug(db, onboardedService)
  const ref = { id: organization.id, serviceId }
  const { steps, completedAt } = await loadOrganizationOnboarding(db, ref)
  return completedAt ? null : { ref, steps }
}

async function readOwnSteps(db: Database, userId: string): Promise<Outcomes> {
  const [row] = await db.select().from(personOnboardings).where(eq(personOnboardings.userId, userId))
  return row?.steps ?? {}
}

/** @throws {Problem} 404 for a step that isn't a person's own, 409 for a required one */
export async function saveOwnStep(call: StepCall, { step, outcome }: OwnStepEdit): Promise<Onboarding> {
  const userId = personOf(call.actor)
  const declared = call.onboardingSteps.find((each) => each.step === step && each.scope === 'person')
  if (!declared) throw notFound('step')
  if (!declared.optional) throw conflict('step_required', 'This step can’t be skipped.')
  const steps = { [step]: outcome }
  await call.db
    .insert(personOnboardings)
    .values({ userId, steps, updatedAt: call.now() })
    .onConflictDoUpdate({
      target: personOnboardings.userId,
      set: { steps: sql`${personOnboardings.steps} || ${JSON.stringify(steps)}::jsonb`, updatedAt: call.now() },
    })
  recordChange(call.db, { object: 'user', id: userId })
  return findOnboarding(call)
}
