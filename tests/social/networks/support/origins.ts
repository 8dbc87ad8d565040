interface Counterpart {
  urls: Record<string, string>
}

const linkedin = { 'www.linkedin.com': 'www', 'api.linkedin.com': 'api' }

/** The hosts of each provider, and what its counterpart calls them. */
const hosts = {
  x: { 'x.com': 'www', 'api.x.com': 'api', 'api.twitter.com': 'legacy' },
  linkedin,
  'linkedin-page': linkedin,
  threads: { 'www.threads.net': 'www', 'graph.threads.net': 'graph' },
  instagram: { 'www.instagram.com': 'www', 'api.instagram.com': 'api', 'graph.instagram.com': 'graph' },
  facebook: { 'www.facebook.com': 'www', 'graph.facebook.com': 'graph' },
  tiktok: { 'www.tiktok.com': 'www', 'open.tiktokapis.com': 'api' },
  youtube: { 'accounts.google.com': 'accounts', 'oauth2.googleapis.com': 'oauth', 'www.googleapis.com': 'api' },
  discord: { 'discord.com': 'api' },
} as const

export type NetworkName = keyof typeof hosts

/** Lets a server reach these counterparts instead of the networks. */
export function networkEnv(counterparts: Partial<Record<NetworkName, Counterpart>>): { NETWORK_ORIGINS: string } {
  const started = new Map<string, Counterpart>(Object.entries(counterparts))
  const origins = Object.entries(hosts).flatMap(([name, own]) => {
    const { urls } = started.get(name) ?? {}
    return urls ? Object.entries(own).map(([host, at]) => `${host}=${urls[at]}`) : []
  })
  return { NETWORK_ORIGINS: origins.join(',') }
}
