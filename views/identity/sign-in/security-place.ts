/** The id of the content of the security settings. */
export const securityPlace = 'security-settings'

/** Replaces that content: factors decide how the person can reauthenticate in each of its sections. */
export const replacesSecurity = { 'hx-target': `#${securityPlace}`, 'hx-swap': 'outerMorph' } as const

/** For a later step in a dialog: closing it brings back the first one, and shows what was changed. */
export const refreshesOnClose = {
  'hx-get': '/settings/security',
  'hx-trigger': 'close from:"closest dialog"',
  ...replacesSecurity,
} as const

/** Dialogs with several steps. */
export const addPasskeyDialog = 'add-passkey'
export const setUpTotpDialog = 'set-up-totp'
