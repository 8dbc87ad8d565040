import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { listOf } from '#lib/paginate.ts'
import { Timestamp } from '#lib/time.ts'

const AccountEventKind = z
  .enum([
    'connected',
    'reconnected',
    'permissions_changed',
    'refreshed',
    'refresh_failed',
    'signed_out',
    'disconnected',
    'deactivated',
    'paused',
    'resumed',
  ])
  .describe(
    '`refreshed`: its tokens were replaced. `signed_out`: the network no longer accepts them. `disconnected`: its owner removed the app on the network.',
  )
export type AccountEventKind = z.output<typeof AccountEventKind>

const AccountEvent = z.object({
  id: Id,
  kind: AccountEventKind,
  at: Timestamp,
  person: z
    .object({
      id: Id,
      name: z
        .string()
        .nullable()
        .describe('Null when they aren’t a member of the organization, or their user account was deleted.'),
    })
    .nullable()
    .describe('Who did it; null when no person did.'),
  message: z.string().nullable().describe('Why it failed or was signed out.'),
  added: z.array(z.string()).describe('Permissions that the account gave, where they changed.'),
  removed: z.array(z.string()).describe('Permissions that it no longer gives.'),
  times: z
    .int()
    .describe(
      'How often, when it was repeated: refreshes are one event until something else happens, and failed ones another.',
    ),
  firstAt: Timestamp.describe('The first time of a repeated event.'),
})
export type AccountEvent = z.output<typeof AccountEvent>

/** The newest first. */
export const AccountHistory = listOf(AccountEvent)
export type AccountHistory = z.output<typeof AccountHistory>
