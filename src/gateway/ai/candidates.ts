import type { Call } from '#lib/call.ts'
import { Problem } from '#lib/errors.ts'
import type { Payer } from '../contract/families.ts'
import type { UseCase } from '../contract/models.ts'
import { usableCredentials, type ResolvedCredential } from '../credentials/resolve.ts'
import { chooseModels, effectivePrice, readSettings } from '../models/choose.ts'
import type { Price } from '../models/price.ts'
import type { ModelSettings } from '../models/settings.ts'
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

/** The practice provider is the platform’s. */
export const payerOf = ({ credential }: Pick<Candidate, 'credential'>): Payer =>
  credential.level === 'organization' ? 'organization' : 'platform'

type Credentials = ReadonlyMap<string, ResolvedCredential>
type Planner = Pick<Call, 'db' | 'now' | 'config' | 'secrets' | 'upstreams'>

interface Wanted {
  requested: string
  kinds: readonly UseCase[]
}

interface Found {
  credentials: Credentials
  hour: number
  candidates: readonly Candidate[]
}

/** Requests of the same second mostly ask for the same models. */
const found = new WeakMap<ModelSettings, Map<string, Found>>()
const maxFound = 100
const hourMs = 3_600_000

/** The requested model and its fallbacks that have a credential. @throws {Problem} 403, 404, and 422 without any */
export async function findCandidates(
  call: Planner,
  { organizationId, test }: Attribution,
  wanted: Wanted,
): Promise<readonly Candidate[]> {
  const credentials = await usableCredentials(call, { organizationId, test })
  const settings = await readSettings(call.db, organizationId, call.config.offlineHelps)
  // Prices change at full hours at most.
  const hour = Math.floor(call.now().getTime() / hourMs)
  const key = `${wanted.kinds.join()} ${wanted.requested}`
  const known = found.get(settings) ?? new Map<string, Found>()
  const same = known.get(key)
  if (same?.credentials === credentials && same.hour === hour) return same.candidates
  const candidates = await listCandidates(call, { organizationId, test }, credentials, wanted)
  if (known.size >= maxFound) known.clear()
  known.set(key, { credentials, hour, candidates })
  found.set(settings, known)
  return candidates
}

async function listCandidates(
  { db, config, now }: Planner,
  { organizationId, test }: Pick<Attribution, 'organizationId' | 'test'>,
  credentials: Credentials,
  { requested, kinds }: Wanted,
): Promise<Candidate[]> {
  const { offlineHelps } = config
  const providers = [...credentials.keys()].filter((name) => name !== 'practice')
  const at = now()
  const steps = await chooseModels(db, { organizationId, kinds, requested, providers, offlineHelps, at })
  const candidates: Candidate[] = []
  for (const step of steps) {
    const credential = credentials.get(step.provider)
    if (!credential) continue
    candidates.push({
      ...step,
      credential,
      dialect: dialectOf(step.provider),
      price: await effectivePrice(db, { ...step, organizationId, level: payerOf({ credential }), offlineHelps }, at),
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
