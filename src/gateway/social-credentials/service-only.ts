/** Only the service that holds the tokens of accounts. Tokens pass through here and are not stored. */
export const serviceOnly = {
  permission: 'service',
  callers: ['platform-socialize'],
  // They call other servers. What is registered there is audited by itself.
  transaction: false,
  audit: false,
} as const
