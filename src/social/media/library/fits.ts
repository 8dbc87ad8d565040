import { and, eq, inArray } from 'drizzle-orm'
import type { Config } from '#config'
import type { Actor } from '#lib/actor.ts'
import type { Database } from '#lib/db.ts'
import { canUseNetwork } from '../../access.ts'
import type { MediaFit, Provider } from '../../contract.ts'
import { catalog, networkOf } from '../../networks/index.ts'
import { describeUnfitMedia } from '../../networks/media-limits.ts'
import { limitsOf } from '../../networks/limits.ts'
import type { Limits } from '../../networks/network.ts'
import { connections } from '../../schema.ts'
import { propertiesOf, type MediaRow } from '../files.ts'
import { variantFor } from '../in-posts.ts'

interface Destination {
  provider: Provider
  name: string
  limits: Limits
  isConnected: boolean
}

/** Whether each network accepts a file (SOC-30); those with an account of the brand come first. */
export async function listFits(db: Database, actor: Actor, config: Config, row: MediaRow): Promise<MediaFit[]> {
  if (row.status !== 'ready') return []
  const connected = (await destinationsOf(db, actor, [row.brandId])).get(row.brandId) ?? []
  const others = catalog(config)
    .filter(({ provider }) => canUseNetwork(actor, provider) && !connected.some((one) => one.provider === provider))
    .map(({ provider, name, limits }) => ({ provider, name, limits, isConnected: false }))
  return [...connected, ...others].map((destination) => fitOf(row, destination))
}

function fitOf(row: MediaRow, { provider, name, limits, isConnected }: Destination): MediaFit {
  const variant = variantFor(row, limits)
  const facts = variant && propertiesOf(row, variant)
  const note = facts ? null : describeUnfitMedia({ name }, limits, row)
  const copy = facts && variant !== 'original' ? { contentType: facts.contentType, bytes: facts.bytes } : null
  return { provider, name, connected: isConnected, fits: facts !== null && facts !== undefined, copy, problem: note }
}

/** For each file, the networks of the brand's accounts that don't accept it. */
export async function unfitNetworks(
  db: Database,
  actor: Actor,
  rows: readonly MediaRow[],
): Promise<Map<string, Provider[]>> {
  const byBrand = await destinationsOf(db, actor, [...new Set(rows.map(({ brandId }) => brandId))])
  return new Map(
    rows.map((row) => {
      const unfit = (byBrand.get(row.brandId) ?? []).filter(({ limits }) => !variantFor(row, limits))
      return [row.id, row.status === 'ready' ? unfit.map(({ provider }) => provider) : []]
    }),
  )
}

/** The files that a network accepts, by the limits of the brand’s account where it has one. */
export async function filterFitting(
  db: Database,
  actor: Actor,
  rows: readonly MediaRow[],
  provider: Provider,
): Promise<MediaRow[]> {
  const network = networkOf(provider)
  if (!network || !canUseNetwork(actor, provider)) return []
  const byBrand = await destinationsOf(db, actor, [...new Set(rows.map(({ brandId }) => brandId))])
  const limitsIn = (brandId: string) =>
    byBrand.get(brandId)?.find((one) => one.provider === provider)?.limits ?? network.limits
  return rows.filter((row) => row.status === 'ready' && variantFor(row, limitsIn(row.brandId)) !== null)
}

/** The networks of each brand's accounts, with the limits of the first account. */
async function destinationsOf(
  db: Database,
  actor: Actor,
  brandIds: readonly string[],
): Promise<Map<string, Destination[]>> {
  if (brandIds.length === 0) return new Map()
  const rows = await db
    .selectDistinctOn([connections.brandId, connections.provider], {
      brandId: connections.brandId,
      provider: connections.provider,
      metadata: connections.metadata,
    })
    .from(connections)
    .where(and(inArray(connections.brandId, [...brandIds]), eq(connections.active, true)))
    .orderBy(connections.brandId, connections.provider, connections.id)
  const found = new Map<string, Destination[]>()
  for (const { brandId, provider, metadata } of rows) {
    const network = networkOf(provider)
    if (!network || !canUseNetwork(actor, provider)) continue
    const { name } = network
    found.set(brandId, [
      ...(found.get(brandId) ?? []),
      { provider, name, limits: limitsOf(network, metadata), isConnected: true },
    ])
  }
  return found
}
