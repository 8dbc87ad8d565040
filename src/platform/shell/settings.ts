import type { Actor } from '#lib/actor.ts'
import { isAllowed } from '#lib/authorize.ts'
import type { Context } from '#lib/context.ts'
import type { SettingsPlace } from '#views/shell/settings.tsx'

/** In the order of declaration. A page whose title depends on its data has no tab. */
export const settingsPlaces = (
  contexts: readonly Context[],
  actor: Actor,
  wanted: 'settings' | 'admin',
): SettingsPlace[] =>
  contexts
    .flatMap(({ pages }) => pages)
    .flatMap(({ path, title, frame, permission }) =>
      frame === wanted && typeof title === 'string' && isAllowed(actor, permission, '') ? [{ path, label: title }] : [],
    )
