import { z } from 'zod'
import type { Config } from '#config'
import type { Actor } from '#lib/actor.ts'
import type { Database } from '#lib/db.ts'
import * as brands from '../brands/brands.ts'
import * as connections from './connections.ts'
import type { Account } from './connections.ts'
import { catalog, type CatalogEntry } from '../networks/index.ts'

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
  const accounts = await connections.ofBrands(db, actor, brandIds)
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
  return troubled.length > 0 ? `The network signed ${troubled.join(', ')} out. Reconnect it.` : null
}
