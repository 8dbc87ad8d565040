import type { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import * as brands from '../brands/brands.ts'
import type { BrandRow } from '../brands/brands.ts'
import { readApps } from './apps.ts'
import * as connections from './connections.ts'
import type { Account } from './connections.ts'
import { describeAll, type AccountDetails } from './details.ts'
import { canUseNetwork, readPermissions } from '../access.ts'
import { listPauses, reachesAll, type PauseRow } from '../pauses/find.ts'
import { catalog, type CatalogEntry } from '../networks/index.ts'
import { PlacesOfAccount } from '../networks/account-places.ts'

interface IntegrationDetails extends CatalogEntry {
  connections: AccountDetails[]
  targets: Record<'pages' | 'groups' | 'organizations' | 'accounts', TargetPlace[]>
  attention: string | null
  can: { connect: boolean }
}

interface TargetPlace {
  id: string
  name: string
  connectionId: string
}

type Reading = Pick<Call<unknown, Actor>, 'db' | 'actor' | 'config' | 'identity' | 'gateway'>

export async function listIntegrations(
  call: Reading,
  brandId?: string,
): Promise<{
  items: IntegrationDetails[]
  brand: BrandRow | null
  pauses: PauseRow[]
  can: { createBrand: boolean; pause: boolean; pauseAll: boolean }
}> {
  const { db, actor, config, identity } = call
  const [brand, check, apps] = await Promise.all([
    brandId ? brands.get(db, actor, brandId) : null,
    readPermissions({ identity, actor }),
    readApps(call, organizationOf(actor)),
  ])
  const reached = brand ? [brand] : await brands.list(db, actor)
  const brandIds = reached.map(({ id }) => id)
  const [found, pauses] = await Promise.all([
    connections.listForBrands(db, actor, brandIds),
    listPauses(db, actor, brandIds),
  ])
  const accounts = await describeAll(call, found)
  const canWrite = check('accounts:write', brandId)
  const items = catalog(config, apps).map((entry) => {
    const own = accounts.filter(({ provider }) => provider === entry.provider)
    const active = own.filter((account) => account.active)
    const isConnectable = entry.connect !== 'none' && entry.readiness !== 'setup-required'
    return {
      ...entry,
      readiness: readinessWith(active, entry.readiness),
      connections: own,
      targets: targetsOf(active),
      attention: attentionOf(active, entry),
      can: { connect: canWrite && isConnectable && canUseNetwork(actor, entry.provider) },
    }
  })
  return {
    items,
    brand,
    pauses: pauses.filter(({ connectionId }) => connectionId === null),
    can: {
      createBrand: check('brands:write'),
      pause: brand !== null && canWrite && !actor.credential.test,
      pauseAll: check('accounts:write') && reachesAll(actor) && !actor.credential.test,
    },
  }
}

function targetsOf(accounts: Account[]): IntegrationDetails['targets'] {
  const listed = accounts.map(({ id, metadata }) => ({ connectionId: id, ...PlacesOfAccount.parse(metadata) }))
  const every = (kind: keyof z.output<typeof PlacesOfAccount>) =>
    listed.flatMap(({ connectionId, [kind]: places }) => places.map((place) => ({ ...place, connectionId })))
  return {
    pages: every('pages'),
    groups: every('groups'),
    organizations: every('organizations'),
    accounts: accounts.map(({ id, account }) => ({ ...account, connectionId: id })),
  }
}

/** Connected accounts publish on when their app’s credentials are missing (SOC-04). */
function readinessWith(active: AccountDetails[], readiness: CatalogEntry['readiness']): CatalogEntry['readiness'] {
  if (readiness !== 'setup-required' || active.length === 0) return readiness
  return active.every(({ sandbox }) => sandbox) ? 'sandbox-only' : 'production-ready'
}

/** What a person has to do about connected accounts. */
function attentionOf(active: Account[], { name: network, readiness }: CatalogEntry): string | null {
  const troubled = active.filter(({ health }) => health !== 'ok').map(({ name }) => name)
  const signedOut =
    troubled.length > 0
      ? `The network signed ${troubled.join(', ')} out. Reconnect ${troubled.length === 1 ? 'it' : 'them'}.`
      : null
  const missing =
    active.length > 0 && readiness === 'setup-required'
      ? `The app credentials of ${network} are missing: accounts can’t be connected again until an administrator sets them in the gateway, under Connections.`
      : null
  return [signedOut, missing].filter(Boolean).join(' ') || null
}
