import { z } from 'zod'
import { auditedTransaction } from '#lib/audit.ts'
import { organizationOf, requirePerson } from '#lib/authorize.ts'
import type { Database } from '#lib/db.ts'
import { operation } from '#lib/operation.ts'
import { expectedVersions } from '#lib/request/if-match.ts'
import { Ceilings } from '#views/payments/settings/ceilings.tsx'
import { PaymentSettings, PaymentSettingsEdit } from '../contract/settings.ts'
import { versioned } from '../version.ts'
import { confirmationOf } from './confirm.ts'
import { describeSettings } from './describe.ts'
import { readSettings, saveSettings } from './settings.ts'

export const getPaymentSettings = operation({
  route: 'GET /api/pay/settings',
  summary: 'Get payment settings',
  permission: 'settings:read',
  machine: true,
  input: z.object({}),
  output: PaymentSettings,
  run: async (call) => {
    const stored = await readSettings(call.db, organizationOf(call.actor, 'settings:read'))
    return versioned(await describeSettings(call, stored))
  },
  view: (settings) => <Ceilings settings={settings} />,
})

export const updatePaymentSettings = operation({
  route: 'PUT /api/pay/settings',
  summary: 'Update payment settings',
  permission: 'settings:write',
  ifMatch: true,
  transaction: false,
  input: PaymentSettingsEdit,
  output: PaymentSettings,
  example: { refundCeilings: { EUR: 5_000 } },
  problems: {
    session_required: 403,
    second_person_needed: 403,
    second_factor_needed: 403,
    version_conflict: 409,
    too_many_codes: 429,
  },
  run: async (call) => {
    requirePerson(call.actor)
    const isConfirmed = await confirmationOf(call)
    const versions = expectedVersions(call.request.headers)
    const save = (tx: Database) => saveSettings({ ...call, db: tx }, call.input, { versions, isConfirmed })
    const stored = await auditedTransaction(call, save)
    return versioned(await describeSettings(call, stored), { next: '/pay/settings', toast: 'Saved' })
  },
  view: (settings) => <Ceilings settings={settings} />,
})
