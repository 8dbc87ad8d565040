import { z } from 'zod'
import type { Config } from '#config'
import type { Actor } from '#lib/actor.ts'
import { auditedStep } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { conflict, notFound } from '#lib/errors.ts'
import type { Act } from '../act.ts'
import * as brands from '../brands/brands.ts'
import * as connections from './connections.ts'
import type { Account } from './connections.ts'
import type { ConnectForm } from '../contract.ts'
import { catalog, networkOf, type CatalogEntry } from '../networks/index.ts'
import { outsideOf } from '../networks/outside.ts'

export interface Card extends CatalogEntry {
  connections: Account[]
  targets: Record<'pages' | 'groups' | 'organizations' | 'accounts', Place[]>
  attention: string | null
}

interface Place {
  id: string
  name: string
  connectionId: string
}

type Settings = Pick<Config, 'offlineHelps'>

/** A card for every network, with the accounts of one brand or of all that the actor reaches (SOC-04, SOC-45). */
export async function list(db: Database, actor: Actor, config: Settings, brandId?: string): Promise<Card[]> {
  const reached = brandId ? [await brands.get(db, actor, brandId)] : await brands.list(db, actor)
  const brandIds = reached.map(({ id }) => id)
  const accounts = await connections.ofBrands(db, brandIds)
  return catalog(config).map((entry) =>
    cardOf(
      entry,
      accounts.filter(({ provider }) => provider === entry.provider),
    ),
  )
}

const cardOf = (entry: CatalogEntry, accounts: Account[]): Card => ({
  ...entry,
  connections: accounts,
  targets: targetsOf(accounts.filter(({ active }) => active)),
  attention: attentionOf(accounts),
})

const Places = z.array(z.object({ id: z.string(), name: z.string() })).catch([])
const Metadata = z.object({ pages: Places, groups: Places, organizations: Places })

/** Where posts may go, as the networks told when the accounts were connected: Groups stand beside Pages. */
function targetsOf(accounts: Account[]): Card['targets'] {
  const told = accounts.map(({ id, metadata }) => ({ connectionId: id, ...Metadata.parse(metadata) }))
  const every = (kind: keyof z.output<typeof Metadata>) =>
    told.flatMap(({ connectionId, [kind]: places }) => places.map((place) => ({ ...place, connectionId })))
  return {
    pages: every('pages'),
    groups: every('groups'),
    organizations: every('organizations'),
    accounts: accounts.map(({ id, account }) => ({ ...account, connectionId: id })),
  }
}

/** What a person has to do about the accounts, in words; nothing when all work. */
function attentionOf(accounts: Account[]): string | null {
  const troubled = accounts.filter(({ active, health }) => active && health !== 'ok').map(({ name }) => name)
  return troubled.length > 0 ? `Reconnect ${troubled.join(', ')}: the network signed it out.` : null
}

/** Milliseconds that a network's servers together may take to let somebody in. */
const patience = 20_000
type Connecting = Act & Pick<Call, 'secrets' | 'config' | 'outbound' | 'request' | 'operation'>

/**
 * Connects an account (SOC-05). Throws 404 for a network that nobody knows, 409 `provider_not_connectable` for one
 * that can't be connected, and what the network says of the form.
 */
export async function connect(act: Connecting, form: ConnectForm): Promise<Account> {
  const { db, actor, config, request } = act
  const entry = catalog(config).find(({ provider }) => provider === form.platform)
  if (!entry) throw notFound('network')
  await brands.get(db, actor, form.brandId)
  const { provider, name } = entry
  const way = networkOf(provider)?.connect
  if (way?.by !== 'form')
    throw conflict('provider_not_connectable', `${name} can't be connected here yet.`, { provider })
  const outside = outsideOf(config, request.url.origin, act.outbound)
  const account = await way.signIn(form, { outside, signal: AbortSignal.timeout(patience) })
  return auditedStep(act, (tx) => connections.connect({ ...act, db: tx }, { brandId: form.brandId, provider, account }))
}
