/** The page that redeems codes, on every web host. */
export const callbackPath = '/auth/callback'
