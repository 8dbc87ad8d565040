import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { organizationsOf } from '../../organizations/organizations.ts'
import { selectedHousehold } from '../../organizations/households/selected.ts'
import { findVerifiedRecovery } from '../recovery-email/verified.ts'
import type { Onboarding } from './contract.ts'

/** From stored facts, so that it continues after any interruption, in every browser and on every server. */
export async function findOnboarding({ db, actor }: Pick<Call<unknown, Actor>, 'db' | 'actor'>): Promise<Onboarding> {
  if (!isAsked(actor)) return { steps: [], next: null }
  const { id } = actor.principal
  const [recovery, own, { selectedHousehold: household }] = await Promise.all([
    findVerifiedRecovery(db, id),
    organizationsOf(db, id),
    selectedHousehold(db, id, null),
  ])
  const steps: Onboarding['steps'] = [
    { step: 'recovery', done: recovery !== undefined },
    { step: 'organization', done: own.length > 0 || household !== null },
  ]
  return { steps, next: steps.find(({ done }) => !done)?.step ?? null }
}

/** Sessions of an organization's SSO can't change personal data. */
const isAsked = ({ tokenType, app, onlyIn, principal }: Actor): boolean =>
  (tokenType === 'session' || tokenType === 'access') && app === null && !onlyIn && principal.principalType === 'user'
