import type { Provider } from '../contract.ts'
import type { Limits } from './network.ts'

export interface PlannedNetwork {
  name: string
  limits: Limits
  note: string
}

const megabyte = 1_000_000
const minute = 60_000
const mp4 = ['video/mp4', 'video/quicktime'] as const
const codecs = ['h264', 'hevc'] as const

/** Limits are those that the networks documents state them. */
export const plannedNetworks: Partial<Record<Provider, PlannedNetwork>> = {
  youtube: {
    name: 'YouTube',
    limits: {
      characters: 5000,
      media: 1,
      videos: {
        types: [...mp4, 'video/webm'],
        codecs: [...codecs, 'vp8', 'vp9', 'av1', 'mpeg4', 'prores'],
        bytes: 256_000 * megabyte,
        durationMs: 720 * minute,
      },
    },
    note: 'Videos, private by default.',
  },
}
