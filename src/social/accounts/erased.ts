export const erasedName = 'Deleted account'

/** Takes the place of the external account (SOC-09). A brand can have several that were erased, of the same person too. */
export const erasedAccountOf = (connectionId: string): string => `deleted:${connectionId}`

/** For PostgreSQL and JavaScript. Links of posts have two parts: `/p/…`, `/reel/…`. */
export const profilePattern = String.raw`^https://www\.instagram\.com/[^/]+/?$`

const profile = new RegExp(profilePattern)

/** Where a post’s own link couldn’t be read, the profile’s was stored, which names the account. */
export const withoutProfile = (permalink: string): string | null => (profile.test(permalink) ? null : permalink)
