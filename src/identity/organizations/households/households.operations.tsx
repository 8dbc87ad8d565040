import { z } from 'zod'
import type { Call } from '#lib/call.ts'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { isTarget } from '#lib/page.ts'
import { listOf } from '#lib/paginate.ts'
import { reply } from '#lib/reply.ts'
import {
  HouseholdInvitations,
  HouseholdLine,
  HouseholdList,
  householdMenu,
  HouseholdMenu,
  Households,
} from '#views/identity/organizations/households.tsx'
import {
  Household,
  HouseholdChoice,
  HouseholdDraft,
  HouseholdEdit,
  HouseholdInvitation,
  HouseholdInvitationDraft,
  HouseholdInvitationSent,
} from './contract.ts'
import * as households from './households.ts'
import * as invitations from './invitations.ts'

const one = z.object({ id: Id })
const back = '/settings/profile'
const tooManyHouseholds = { too_many_households: 409 }

async function drawHouseholds({ ask }: Call) {
  const [own, offered] = await Promise.all([ask(listHouseholds, {}), ask(listHouseholdInvitations, {})])
  return <Households households={own.items} invitations={offered.items} />
}

export const listHouseholds = operation({
  route: 'GET /api/households',
  summary: 'List households',
  permission: 'signed-in',
  input: z.object({}),
  output: listOf(Household),
  run: async (call) => ({ items: await households.list(call), nextCursor: null }),
  view: ({ items }) => <HouseholdList households={items} />,
})

export const createHousehold = operation({
  route: 'POST /api/households',
  summary: 'Create a household',
  permission: 'signed-in',
  input: HouseholdDraft,
  output: Household,
  creates: true,
  problems: tooManyHouseholds,
  example: { name: 'The Lovelaces' },
  run: async (call) => {
    const household = await households.create(call, call.input.name)
    return reply(201, household, { next: back, toast: `${household.name} created` })
  },
  view: (_, call) => drawHouseholds(call),
})

export const getHousehold = operation({
  route: 'GET /api/households/:id',
  summary: 'Get a household',
  permission: 'signed-in',
  input: one,
  output: Household,
  run: (call) => households.find(call, call.input.id),
  view: (household, call) =>
    isTarget(call, householdMenu(household)) ? (
      <HouseholdMenu household={household} />
    ) : (
      <HouseholdLine household={household} />
    ),
})

export const updateHousehold = operation({
  route: 'PUT /api/households/:id',
  summary: 'Rename a household',
  permission: 'signed-in',
  input: HouseholdEdit,
  output: Household,
  run: async (call) =>
    reply(200, await households.rename(call, call.input), { next: back, toast: 'Household renamed' }),
  view: (_, call) => drawHouseholds(call),
})

export const leaveHousehold = operation({
  route: 'DELETE /api/households/:id/membership',
  summary: 'Leave a household',
  permission: 'signed-in',
  input: one,
  output: z.null(),
  run: async (call) => {
    await households.leave(call, call.input.id)
    return reply(204, null, { next: back, toast: 'You left the household' })
  },
  view: (_, call) => drawHouseholds(call),
})

export const selectHousehold = operation({
  route: 'PUT /api/auth/me/household',
  summary: 'Select the household of your personal account',
  permission: 'signed-in',
  input: HouseholdChoice,
  output: listOf(Household),
  run: async (call) => {
    await households.select(call, call.input.householdId)
    return reply(200, { items: await households.list(call), nextCursor: null }, { next: back })
  },
  view: (_, call) => drawHouseholds(call),
})

export const inviteToHousehold = operation({
  route: 'POST /api/households/:id/invitations',
  summary: 'Invite a person to a household',
  permission: 'signed-in',
  limit: 'sign-in',
  input: HouseholdInvitationDraft,
  output: HouseholdInvitationSent,
  creates: true,
  problems: { household_full: 409, too_many_mails: 429 },
  example: { email: 'charles@example.com' },
  run: async (call) =>
    reply(201, await invitations.invite(call, call.input), {
      next: back,
      toast: `Invitation sent to ${call.input.email}`,
    }),
  view: (_, call) => drawHouseholds(call),
})

export const listHouseholdInvitations = operation({
  route: 'GET /api/household-invitations',
  summary: 'List your household invitations',
  permission: 'signed-in',
  input: z.object({}),
  output: listOf(HouseholdInvitation),
  run: async (call) => ({ items: await invitations.listInvitations(call), nextCursor: null }),
  view: ({ items }) => <HouseholdInvitations invitations={items} />,
})

export const acceptHouseholdInvitation = operation({
  route: 'POST /api/household-invitations/:id/accept',
  summary: 'Accept a household invitation',
  permission: 'signed-in',
  input: one,
  output: Household,
  problems: tooManyHouseholds,
  run: async (call) => {
    const household = await invitations.accept(call, call.input.id)
    return reply(200, household, { next: back, toast: `Welcome to ${household.name}` })
  },
  view: (_, call) => drawHouseholds(call),
})

export const declineHouseholdInvitation = operation({
  route: 'DELETE /api/household-invitations/:id',
  summary: 'Decline a household invitation',
  permission: 'signed-in',
  input: one,
  output: z.null(),
  run: async (call) => {
    await invitations.decline(call, call.input.id)
    return reply(204, null, { next: back, toast: 'Invitation declined' })
  },
  view: (_, call) => drawHouseholds(call),
})
