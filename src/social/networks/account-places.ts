import { z } from 'zod'
import type { Metadata, Network } from './network.ts'

const Places = z.array(z.object({ id: z.string(), name: z.string() })).catch([])

/** Of an account's `metadata`. */
export const PlacesOfAccount = z.object({ pages: Places, groups: Places, organizations: Places })

interface Account {
  externalId: string
  metadata: Metadata
}

/** The Groups that posts of an account can name, besides one that is the account itself. */
export const groupsWithin = ({ places = [] }: Network, { externalId, metadata }: Account) =>
  places.includes('groupId') ? PlacesOfAccount.parse(metadata).groups.filter(({ id }) => id !== externalId) : []

/** Why posts of the account, or to a Group within it, are likely to fail. */
export const warningOf = (network: Network, account: Account): string | null =>
  [account.metadata, ...groupsWithin(network, account).map(({ id }) => ({ ...account.metadata, groupId: id }))]
    .map((metadata) => network.warningOf?.(metadata) ?? null)
    .find((warning) => warning !== null) ?? null
