/** The platform's services by their slugs, as people know them. */
const names: Readonly<Record<string, string>> = {
  'platform-identity': 'Identity',
  'platform-gateway': 'Gateway',
  'platform-socialize': 'Social',
  'platform-pay': 'Payments',
  'platform-dashboard-api': 'Dashboard',
  platform: 'Atrium',
}

export const raisingServices = Object.keys(names)

export const serviceNameOf = (slug: string | null): string => (slug === null ? 'Atrium' : (names[slug] ?? slug))

export const isOfPlatform = (slug: string): boolean => Object.hasOwn(names, slug)
