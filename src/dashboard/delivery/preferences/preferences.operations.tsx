import { z } from 'zod'
import { auditedTransaction } from '#lib/audit.ts'
import { operation } from '#lib/operation.ts'
import { timeFormatsFrom } from '#lib/time.ts'
import { PreferencesView } from '#views/dashboard/notifications/preferences.tsx'
import { NotificationPreferences, NotificationPreferencesEdit } from './contract.ts'
import { describePreferences, ownerOf } from './describe.ts'
import { findPreferences } from './row.ts'
import { savePreferences } from './save.ts'

export const getNotificationPreferences = operation({
  route: 'GET /api/notification-preferences',
  summary: 'Get your notification preferences',
  permission: 'signed-in',
  personal: false,
  input: z.object({}),
  output: NotificationPreferences,
  run: async (call) => describePreferences(call, await findPreferences(call.db, ownerOf(call.actor))),
  view: (preferences) => <PreferencesView preferences={preferences} />,
})

export const updateNotificationPreferences = operation({
  route: 'PUT /api/notification-preferences',
  summary: 'Update your notification preferences',
  permission: 'signed-in',
  personal: false,
  input: NotificationPreferencesEdit,
  output: NotificationPreferences,
  transaction: false, // Identity is asked for the response.
  example: { frequency: 'daily', dailyAt: '08:30' },
  run: async (call) => {
    const owner = ownerOf(call.actor)
    const { zone } = timeFormatsFrom(call.request.cookies)
    const edit = { ...(zone !== 'UTC' && { timeZone: zone }), ...call.input }
    const saved = await auditedTransaction(call, (db) => savePreferences({ ...call, db }, owner, edit))
    return describePreferences(call, saved)
  },
  view: (preferences) => <PreferencesView preferences={preferences} />,
})
