import type { Call } from '#lib/call.ts'
import { Problem } from '#lib/errors.ts'
import type { UseCase } from '../contract/models.ts'
import { usableCredentials, type ResolvedCredential } from '../credentials/resolve.ts'
import { chooseModels, effectivePrice } from '../models/choose.ts'
import type { Price } from '../models/price.ts'
import { circuitKey } from '../providers/breakers.ts'
import { dialectOf, type Dialect } from '../providers/known.ts'
import type { Attribution } from './attribution.ts'

/** A model that can answer, with the credential that pays for it. */
export interface Candidate {
  provider: string
  model: string
  dialect: Dialect
  credential: ResolvedCredential
  /** Null without a known price, which isn’t free. */
  price: Price | null
  /** Of its circuit breaker. */
  circuit: string
}

type Planner = Pick<Call, 'db' | 'now' | 'config' | 'secrets' | 'upstreams'>

/** The requested model and its fallbacks that have a credential. @throws {Problem} 403, 404, and 422 without any */
export async function findCandidates(
  call: Planner,
  { organizationId, test }: Attribution,
  { requested, kinds }: { requested: string; kinds: readonly UseCase[] },
): Promise<Candidate[]> {
  const { db, config, now } = call
  const { offlineHelps } = config
  const credentials = await usableCredentials(call, { organizationId, test })
  const providers = [...credentials.keys()].filter((name) => name !== 'practice')
  const at = now()
  const steps = await chooseModels(db, { organizationId, kinds, requested, providers, offlineHelps, at })
  const candidates: Candidate[] = []
  for (const step of steps) {
    const credential = credentials.get(step.provider)
    if (!credential) continue
    const level = credential.level === 'organization' ? 'organization' : 'platform'
    candidates.push({
      ...step,
      credential,
      dialect: dialectOf(step.provider),
      price: await effectivePrice(db, { ...step, organizationId, level, offlineHelps }, at),
      circuit: circuitKey(credential, step.model),
    })
  }
  if (candidates.length === 0) throw noCredential(steps[0]?.provider ?? requested, test)
  return candidates
}

const noCredential = (provider: string, test: boolean) =>
  new Problem(
    422,
    'credential_missing',
    test
      ? `There is no credential for ${provider} that is marked test, and a test key can’t use others.`
      : `There is no credential for ${provider}. Add one under the organization’s credentials, or choose another model.`,
  )
