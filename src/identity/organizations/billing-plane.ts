/** The services that can provision, check slugs and count seats, with their own tokens (IDN-45). */
export const billingPlane = {
  permission: 'service',
  callers: ['platform-pay', 'platform-dashboard-website', 'platform-dashboard-api'],
} as const
