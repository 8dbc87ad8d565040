import type { Receipt } from '../network.ts'

export const receiptOf = (videoId: string): Receipt => ({
  platformPostId: videoId,
  permalink: `https://www.youtube.com/watch?v=${videoId}`,
})
