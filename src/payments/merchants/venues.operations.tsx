import { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { reply } from '#lib/reply.ts'
import { VenueForm } from '#views/payments/merchants/dialogs.tsx'
import { VenueTable } from '#views/payments/merchants/venues.tsx'
import { Venue, VenueDraft, VenueEdit, VenueFilter, VenueList } from '../contract/merchants.ts'
import { editedVersions, versioned } from '../version.ts'
import { findVenue, listVenueRows } from './read.ts'
import { mayIn } from './rights.ts'
import { describeVenue } from './rows.ts'
import { getMerchantSales } from './sales.operations.ts'
import * as venues from './venues.ts'

const next = '/pay/merchants'

const describeSaved = async ({ db, actor }: Pick<Call<unknown, Actor>, 'db' | 'actor'>, id: string) => {
  const { venue, merchantName } = await findVenue(db, organizationOf(actor, 'venues:write'), id)
  return describeVenue(venue, merchantName, true)
}

export const listVenues = operation({
  route: 'GET /api/venues',
  summary: 'List venues',
  permission: 'venues:read',
  machine: true,
  input: VenueFilter,
  output: VenueList,
  run: (call) => listVenueRows(call, call.input),
  view: async (list, call) => (
    <VenueTable
      list={list}
      query={call.input}
      sales={list.can.readSales ? await call.ask(getMerchantSales, {}) : null}
    />
  ),
})

export const createVenue = operation({
  route: 'POST /api/venues',
  summary: 'Create a venue',
  permission: 'venues:write',
  machine: true,
  creates: true,
  input: VenueDraft,
  output: Venue,
  problems: { merchant_archived: 409, too_many_venues: 409 },
  run: async (call) => {
    const { id } = await venues.createVenue(call, call.input)
    return reply(201, await describeSaved(call, id), { next, toast: 'Venue created' })
  },
})

export const getVenue = operation({
  route: 'GET /api/venues/:id',
  summary: 'Get a venue',
  permission: 'venues:read',
  machine: true,
  input: z.object({ id: Id }),
  output: Venue,
  run: async (call) => {
    const found = await findVenue(call.db, organizationOf(call.actor, 'venues:read'), call.input.id)
    return versioned(describeVenue(found.venue, found.merchantName, await mayIn(call, 'venues:write')))
  },
  view: (venue) => <VenueForm venue={venue} />,
})

export const updateVenue = operation({
  route: 'PATCH /api/venues/:id',
  summary: 'Update a venue',
  permission: 'venues:write',
  machine: true,
  ifMatch: true,
  input: VenueEdit,
  output: Venue,
  example: { name: 'Kreuzberg' },
  problems: { version_conflict: 409 },
  run: async (call) => {
    const { id } = await venues.updateVenue(call, call.input, editedVersions(call))
    return versioned(await describeSaved(call, id), { next, toast: 'Saved' })
  },
})

export const archiveVenue = operation({
  route: 'POST /api/venues/:id/archive',
  summary: 'Archive a venue',
  permission: 'venues:write',
  machine: true,
  input: z.object({ id: Id }),
  output: Venue,
  run: async (call) => {
    const { id } = await venues.archiveVenue(call, call.input.id)
    return versioned(await describeSaved(call, id), { next, toast: 'Venue archived' })
  },
})

export const restoreVenue = operation({
  route: 'POST /api/venues/:id/restore',
  summary: 'Restore an archived venue',
  permission: 'venues:write',
  machine: true,
  input: z.object({ id: Id }),
  output: Venue,
  run: async (call) => {
    const { id } = await venues.restoreVenue(call, call.input.id)
    return versioned(await describeSaved(call, id), { next, toast: 'Venue restored' })
  },
})
