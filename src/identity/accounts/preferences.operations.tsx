import { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { withFormats } from '#lib/jsx/jsx-runtime.ts'
import { operation } from '#lib/operation.ts'
import { reply } from '#lib/reply.ts'
import { PreferencesSection } from '#views/identity/accounts/preferences.tsx'
import { AppPreferences, Preferences, PreferencesEdit } from '../contract.ts'
import { personOf } from './caller.ts'
import { requireService } from '../registry/services.ts'
import {
  preferenceCookies,
  preferencesOf,
  preferredFormats,
  savePreferences,
  savePreferencesOfApp,
} from './preferences.ts'

const getOperation = {
  summary: 'Get your preferences',
  permission: 'signed-in',
  personal: false,
  input: z.object({}),
  output: Preferences,
  run: ({ db, actor }: Call<unknown, Actor>) => preferencesOf(db, personOf(actor)),
  view: (preferences: Preferences, { now }: Call) => <PreferencesSection preferences={preferences} now={now()} />,
} as const

const updateOperation = {
  summary: 'Update your preferences',
  permission: 'signed-in',
  personal: false,
  input: PreferencesEdit,
  output: Preferences,
  example: { theme: 'dark' },
  run: async ({ db, actor, input }: Call<PreferencesEdit, Actor>) => {
    const saved = await savePreferences(db, personOf(actor), input)
    return reply(200, saved, { cookies: preferenceCookies(saved) })
  },
  // The browser has the new formats only after this response.
  view: (saved: Preferences, { now, request }: Call) =>
    withFormats(preferredFormats(saved, request.cookies), () => <PreferencesSection preferences={saved} now={now()} />),
} as const

export const getPreferences = operation({ route: 'GET /api/app-switcher/preferences', ...getOperation })
export const updatePreferences = operation({ route: 'PUT /api/app-switcher/preferences', ...updateOperation })

export const updateAppPreferences = operation({
  route: 'PUT /api/auth/app-switcher/apps/:id',
  summary: 'Update your preferences of an app',
  permission: 'signed-in',
  personal: false,
  input: AppPreferences,
  output: Preferences,
  example: { favorite: true },
  run: async ({ db, actor, input }) => {
    await requireService(db, input.id)
    return savePreferencesOfApp(db, personOf(actor), input)
  },
})

// Pages of other hosts reach identity under /api/auth.
export const getOwnPreferences = operation({ route: 'GET /api/auth/app-switcher/preferences', ...getOperation })
export const updateOwnPreferences = operation({ route: 'PUT /api/auth/app-switcher/preferences', ...updateOperation })
