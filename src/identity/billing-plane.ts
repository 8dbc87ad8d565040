/** Who may provision, check slugs and count seats: these services, by tokens of their own; never a person (IDN-45). */
export const billingPlane = {
  permission: 'service',
  callers: ['platform-pay', 'platform-dashboard-website', 'platform-dashboard-api'],
} as const
