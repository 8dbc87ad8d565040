import { and, asc, desc, eq, inArray, or, sql } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { recordChange } from '#lib/audit.ts'
import type { Database } from '#lib/db.ts'
import { conflict } from '#lib/errors.ts'
import { byId, type PageOf } from '#lib/paginate.ts'
import type { ChangeCall } from '../change-call.ts'
import * as brands from '../brands/brands.ts'
import type { Provider } from '../contract.ts'
import { explainAbsence, requireNetworkAccess, testKeyNetwork, withinTenant } from '../access.ts'
import type { ConnectedAccount } from '../networks/network.ts'
import { accountChecks, connections } from '../schema.ts'
import { enqueueActions } from '../raised/update-actions.ts'
import { recordAccountEvent, recordPermissions } from './history/record.ts'
import { canRevoke, needsSignIn } from './needs-sign-in.ts'
import { reportAccounts } from './report.ts'
import { revokeDeactivated } from './tokens/revoke-deactivated.ts'
import { sealTokens } from './tokens/tokens.ts'

type ConnectionRow = typeof connections.$inferSelect
type AccountCall = ChangeCall
export type Account = ConnectionRow & { account: { id: string; name: string } }

/** A test key only reads accounts of the sandbox network (IDN-36). */
const readableBy = ({ credential }: Actor) => (credential.test ? eq(connections.provider, testKeyNetwork) : undefined)

/** @throws {Problem} 404 for a brand that the actor doesn't reach */
export async function listPage(
  db: Database,
  actor: Actor,
  { brandId, provider, ...query }: { brandId?: string; provider?: Provider; limit: number; cursor?: string },
): Promise<PageOf<Account>> {
  if (brandId) await brands.get(db, actor, brandId)
  const slice = byId(connections.id).slice(query)
  const rows = await db
    .select()
    .from(connections)
    .where(
      and(
        withinTenant(db, actor, connections.brandId),
        readableBy(actor),
        brandId ? eq(connections.brandId, brandId) : undefined,
        provider ? eq(connections.provider, provider) : undefined,
        slice.where,
      ),
    )
    .orderBy(...slice.order)
    .limit(slice.limit)
  return slice.page(rows.map(toAccount))
}

/** Active accounts of a brand that are signed out, and those with Groups, which networks warn of; the former first. */
export async function listTroubled(
  db: Database,
  actor: Actor,
  { brandId, limit }: { brandId: string; limit: number },
): Promise<Account[]> {
  const isSignedOut = sql`${connections.health} <> 'ok'`
  const hasGroups = sql`(${connections.metadata} ? 'groupId' OR ${connections.metadata} @? '$.groups[*]')`
  const rows = await db
    .select()
    .from(connections)
    .where(
      and(
        withinTenant(db, actor, connections.brandId),
        readableBy(actor),
        eq(connections.brandId, brandId),
        connections.active,
        or(isSignedOut, hasGroups),
      ),
    )
    .orderBy(desc(isSignedOut), asc(connections.id))
    .limit(limit)
  return rows.map(toAccount)
}

export async function listForBrands(db: Database, actor: Actor, brandIds: string[]): Promise<Account[]> {
  const rows = await db
    .select()
    .from(connections)
    .where(and(inArray(connections.brandId, brandIds), readableBy(actor)))
    .orderBy(asc(connections.id))
  return rows.map(toAccount)
}

/** @throws {Problem} 404 when it is absent or another organization's, 403 as `requireNetworkAccess` */
export async function get(db: Database, actor: Actor, id: string): Promise<Account> {
  const [row] = await db
    .select()
    .from(connections)
    .where(ownAccount(db, actor, id))
  if (!row) throw await explainAbsence(db, actor, 'account', brandOf(db, id))
  requireNetworkAccess(actor, row.provider)
  return toAccount(row)
}

/** One that its owner connected before becomes active again, with its new tokens. */
export async function connect(
  { db, actor, queue, secrets, now }: AccountCall & Pick<Call, 'secrets'>,
  { brandId, provider, account }: { brandId: string; provider: Provider; account: ConnectedAccount },
): Promise<Account> {
  const { externalId, tokens, expiresInSeconds = null, signInEndsInSeconds = null, ...rest } = account
  const afterSeconds = (seconds: number | null) =>
    seconds === null ? null : new Date(now().getTime() + seconds * 1000)
  const profile = {
    ...rest,
    expiresAt: afterSeconds(expiresInSeconds),
    signInEndsAt: afterSeconds(signInEndsInSeconds),
  }
  const own = { brandId, provider, externalId, ownerId: actor.principal.id }
  const before = await findOwn(db, own)
  const [{ id } = { id: '' }] = await db
    .insert(connections)
    .values({ ...own, ...profile })
    .onConflictDoUpdate({
      target: [connections.brandId, connections.provider, connections.externalId, connections.ownerId],
      set: { ...workingState, ...profile, metadata: keptMetadata },
    })
    .returning({ id: connections.id })
  const sealedTokens = sealTokens(secrets, id, tokens)
  const [row] = await db.update(connections).set({ sealedTokens }).where(eq(connections.id, id)).returning()
  // It was about the tokens before.
  await db.delete(accountChecks).where(eq(accountChecks.connectionId, id))
  if (!row) throw new Error('A connection was not stored')
  recordChange(db, { object: 'account', id: row.id, after: row })
  await recordConnected(db, row, before)
  await enqueueActions(db, { queue }, row)
  await reportAccounts(db, { queue }, eq(connections.id, id))
  return toAccount(row)
}

type OwnKey = Pick<ConnectionRow, 'brandId' | 'provider' | 'externalId' | 'ownerId'>

async function findOwn(db: Database, { brandId, provider, externalId, ownerId }: OwnKey) {
  const [row] = await db
    .select({ scopes: connections.scopes })
    .from(connections)
    .where(
      and(
        eq(connections.brandId, brandId),
        eq(connections.provider, provider),
        eq(connections.externalId, externalId),
        eq(connections.ownerId, ownerId),
      ),
    )
    .for('no key update')
  return row
}

async function recordConnected(db: Database, row: ConnectionRow, before: Pick<ConnectionRow, 'scopes'> | undefined) {
  const personId = row.ownerId
  await recordAccountEvent(db, row, { kind: before ? 'reconnected' : 'connected', personId })
  if (before) await recordPermissions(db, row, { before: before.scopes, personId })
}

/** Groups stay those that are stored when the network no longer lists them (SOC-06). */
const keptMetadata = sql`
  CASE WHEN ${connections.metadata} ? 'groups' THEN jsonb_build_object('groups', ${connections.metadata} -> 'groups')
  ELSE '{}' END || excluded.metadata`

/** Where the network can revoke tokens, it does so soon after. */
export async function deactivate(act: AccountCall, id: string): Promise<Account> {
  const account = await change(act, id, 'deactivated', { active: false, deactivatedAt: act.now() })
  if (canRevoke(account.provider)) await act.queue.enqueue(act.db, revokeDeactivated, { id })
  return account
}

/** @throws {Problem} 404, and 409 `reconnect_required` when its tokens don’t work any more */
export async function reconnect(act: AccountCall, id: string): Promise<Account> {
  const account = await get(act.db, act.actor, id)
  if (needsSignIn(account))
    throw conflict('reconnect_required', `Atrium has no access to ${account.name} anymore. Connect the account again.`)
  return change(act, id, 'reconnected', workingState)
}

const workingState = {
  active: true,
  deactivatedAt: null,
  health: 'ok',
  renewalOwner: null,
  renewalEndsAt: null,
} as const

async function change(
  { db, actor, queue }: AccountCall,
  id: string,
  kind: 'deactivated' | 'reconnected',
  changes: Partial<ConnectionRow>,
): Promise<Account> {
  const [before] = await db
    .select()
    .from(connections)
    .where(ownAccount(db, actor, id))
    .for('update')
  if (!before) throw await explainAbsence(db, actor, 'account', brandOf(db, id))
  requireNetworkAccess(actor, before.provider)
  const [after = before] = await db.update(connections).set(changes).where(eq(connections.id, id)).returning()
  recordChange(db, { object: 'account', id, before, after })
  if (before.active !== after.active || before.health !== after.health)
    await recordAccountEvent(db, after, { kind, personId: actor.principal.id })
  await enqueueActions(db, { queue }, after)
  await reportAccounts(db, { queue }, eq(connections.id, id))
  return toAccount(after)
}

const brandOf = (db: Database, id: string) =>
  db.select({ id: connections.brandId }).from(connections).where(eq(connections.id, id))

const ownAccount = (db: Database, actor: Actor, id: string) =>
  and(eq(connections.id, id), withinTenant(db, actor, connections.brandId))

const toAccount = (row: ConnectionRow): Account => ({ ...row, account: { id: row.externalId, name: row.name } })
