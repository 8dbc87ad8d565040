import { z } from 'zod'
import { organizationOf, requirePerson } from '#lib/authorize.ts'
import { operation } from '#lib/operation.ts'
import { reply, type Reply, type ReplyOptions } from '#lib/reply.ts'
import { expectedVersions } from '#lib/request/if-match.ts'
import { PaymentSettings, PaymentSettingsEdit } from '../contract/settings.ts'
import { readSettings, saveSettings } from './settings.ts'

/** With their version as ETag, for `If-Match`. */
const versioned = <Settings extends { version: number }>(
  settings: Settings,
  options: ReplyOptions = {},
): Reply<Settings> => reply(200, settings, { ...options, headers: { ETag: `"${settings.version}"` } })

export const getPaymentSettings = operation({
  route: 'GET /api/pay/settings',
  summary: 'Get payment settings',
  permission: 'settings:read',
  machine: true,
  input: z.object({}),
  output: PaymentSettings,
  run: async ({ db, actor }) => versioned(await readSettings(db, organizationOf(actor, 'settings:read'))),
})

export const updatePaymentSettings = operation({
  route: 'PUT /api/pay/settings',
  summary: 'Update payment settings',
  permission: 'settings:write',
  ifMatch: true,
  input: PaymentSettingsEdit,
  output: PaymentSettings,
  example: { refundCeilings: { EUR: 5_000 } },
  problems: { session_required: 403, version_conflict: 409 },
  run: async (call) => {
    requirePerson(call.actor)
    return versioned(await saveSettings(call, call.input, expectedVersions(call.request.headers)), {
      next: '/pay/refunds',
      toast: 'Saved',
    })
  },
})
