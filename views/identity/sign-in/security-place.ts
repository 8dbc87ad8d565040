/** The id of the content of the security settings. */
export const securityPlace = 'security-settings'

/** Replaces that content: factors decide how the person can reauthenticate in each of its sections. */
export const replacesSecurity = { 'hx-target': `#${securityPlace}`, 'hx-swap': 'outerMorph' } as const

/** A link of a finished or canceled step back to the settings. */
export const backToSecurity = {
  href: '/settings/security',
  'hx-get': '/settings/security',
  ...replacesSecurity,
} as const
