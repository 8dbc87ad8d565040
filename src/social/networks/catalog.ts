import type { Provider } from '../contract.ts'
import type { Limits } from './network.ts'

export interface PlannedNetwork {
  name: string
  limits: Limits
  note: string
}

/** Limits are those that the networks documents state them. */
export const plannedNetworks: Partial<Record<Provider, PlannedNetwork>> = {
  x: { name: 'X', limits: { characters: 280, media: 4 }, note: 'Posts and threads.' },
  linkedin: { name: 'LinkedIn', limits: { characters: 3000, media: 20 }, note: 'Personal profiles.' },
  'linkedin-page': { name: 'LinkedIn Page', limits: { characters: 3000, media: 20 }, note: 'Company Pages.' },
  facebook: { name: 'Facebook', limits: { characters: 63_206, media: 10 }, note: 'Pages and Groups.' },
  instagram: { name: 'Instagram', limits: { characters: 2200, media: 10 }, note: 'Professional accounts.' },
  threads: { name: 'Threads', limits: { characters: 500, media: 20 }, note: 'Posts and reply chains.' },
  youtube: { name: 'YouTube', limits: { characters: 5000, media: 1 }, note: 'Videos, private by default.' },
  tiktok: { name: 'TikTok', limits: { characters: 2200, media: 35 }, note: 'Videos and photos.' },
  discord: { name: 'Discord', limits: { characters: 2000, media: 10 }, note: 'Channels, by webhook.' },
}
