/** Only the service that holds the tokens of accounts. */
export const serviceOnly = {
  permission: 'service',
  callers: ['platform-socialize'],
  // They call other servers. What is registered there is audited by itself.
  transaction: false,
  audit: false,
} as const
