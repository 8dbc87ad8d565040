import { and, eq } from 'drizzle-orm'
import { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { auditedTransaction } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import { transact } from '#lib/db.ts'
import { conflict, invalid, type Problem } from '#lib/errors.ts'
import type { ChangeCall } from '../../change-call.ts'
import * as brands from '../../brands/brands.ts'
import type { Provider, TargetChoice } from '../../contract.ts'
import { requireNetworkAccess } from '../../access.ts'
import type { ChoosableTarget } from '../../networks/network.ts'
import { connections } from '../../schema.ts'
import * as authorizations from '../authorizations.ts'
import { connect, type Account } from '../connections.ts'

const ConnectedAccount = z.object({
  externalId: z.string(),
  name: z.string(),
  metadata: z.record(z.string(), z.unknown()),
  tokens: z.record(z.string(), z.string()),
  expiresInSeconds: z.number().nullish(),
  signInEndsInSeconds: z.number().nullish(),
  scopes: z.array(z.string()),
})
/** Marked, so that a consent that is still pending isn’t taken for one. */
const Stored = z.object({
  choice: z.array(
    z.object({
      account: ConnectedAccount,
      detail: z.string(),
      refusal: z.string().nullable(),
      warning: z.string().optional(),
    }),
  ),
})

export const isChoice = (pending: unknown): boolean => Stored.safeParse(pending).success

type Storing = Pick<ChangeCall, 'db' | 'actor' | 'now'> & Pick<Call, 'secrets'>

interface Consented {
  targets: readonly ChoosableTarget[]
  brandId: string
  provider: Provider
  unsavedId: string | null
  isOnboarding: boolean
}

/** Keeps what a person consented to until they have chosen, for ten minutes. @returns a token of that person */
export async function storeChoice(
  { db, actor, now, secrets }: Storing,
  { targets, ...consented }: Consented,
): Promise<string> {
  const state = authorizations.createState()
  const kept = { ...consented, state, pending: { choice: targets } }
  await transact(db, (tx) => authorizations.store(tx, secrets, actor, now(), kept))
  return state
}

interface ChoiceReference {
  provider: Provider
  choice: string
}

type Reading = Pick<Call<unknown, Actor>, 'db' | 'actor' | 'secrets' | 'now'>

/** Null when it is unknown, used, expired or another person’s. */
async function readChoice({ db, actor, secrets, now }: Reading, { provider, choice }: ChoiceReference) {
  const found = await authorizations.peek(db, secrets, actor, now(), { state: choice, provider })
  const stored = Stored.safeParse(found?.pending)
  return found && stored.success ? { ...found, targets: stored.data.choice } : null
}

/** With the brand’s accounts that the consent left out; null when it has expired. @throws {Problem} 404 */
export async function describeChoice(call: Reading, reference: ChoiceReference): Promise<TargetChoice | null> {
  const found = await readChoice(call, reference)
  if (!found) return null
  const { brandId, unsavedId, targets } = found
  const [{ id, name }, rows] = await Promise.all([
    brands.get(call.db, call.actor, brandId),
    call.db
      .select({ externalId: connections.externalId, name: connections.name })
      .from(connections)
      .where(
        and(
          eq(connections.brandId, brandId),
          eq(connections.provider, reference.provider),
          eq(connections.ownerId, call.actor.principal.id),
          eq(connections.active, true),
        ),
      ),
  ])
  const connected = new Set(rows.map(({ externalId }) => externalId))
  const offered = new Set(targets.map(({ account }) => account.externalId))
  return {
    brand: { id, name },
    provider: reference.provider,
    choice: reference.choice,
    unsavedId,
    leftOut: rows.filter(({ externalId }) => !offered.has(externalId)).map((row) => row.name),
    items: targets.map(({ account, detail, refusal, warning = null }) => ({
      id: account.externalId,
      name: account.name,
      detail,
      refusal,
      warning,
      isConnected: connected.has(account.externalId),
    })),
  }
}

const choiceExpired = (): Problem =>
  conflict('choice_expired', 'The choice has expired or was already made. Connect the account again.')

type Connecting = ChangeCall & Pick<Call, 'secrets' | 'request' | 'operation'>

/** @throws {Problem} 404, 409 `choice_expired`, 422 for a target that isn’t offered or can’t be connected */
export async function connectChosen(
  act: Connecting,
  { targets: chosen, ...reference }: ChoiceReference & { targets: readonly string[] },
): Promise<{ brandId: string; unsavedId: string | null; isOnboarding: boolean; accounts: Account[] }> {
  const found = await readChoice(act, reference)
  if (!found) throw choiceExpired()
  const { brandId, unsavedId, isOnboarding, targets } = found
  const { provider, choice: state } = reference
  await brands.get(act.db, act.actor, brandId)
  requireNetworkAccess(act.actor, provider)
  const offered = new Map(targets.map((target) => [target.account.externalId, target]))
  const wanted = [...new Set(chosen)].map((id) => offered.get(id))
  const accounts = wanted.flatMap((target) => (target?.refusal === null ? [target.account] : []))
  if (accounts.length < wanted.length)
    throw invalid([{ path: 'targets', message: 'Choose only accounts that can be connected.' }])
  return auditedTransaction(act, async (tx) => {
    const { actor, secrets, now } = act
    if (!(await authorizations.take(tx, secrets, actor, now(), { state, provider }))) throw choiceExpired()
    const connected: Account[] = []
    for (const account of accounts) connected.push(await connect({ ...act, db: tx }, { brandId, provider, account }))
    return { brandId, unsavedId, isOnboarding, accounts: connected }
  })
}
