/** Services of the registry that aren't built yet: pages don't show them. */
const planned = new Set(['platform-dashboard-api', 'platform-gateway', 'platform-pay'])

export const isPlanned = (slug: string): boolean => planned.has(slug)

/** An app that people can open: the identity service has no pages of its own. */
export const isServed = ({ slug }: { slug: string }): boolean => !planned.has(slug) && slug !== 'platform-identity'
