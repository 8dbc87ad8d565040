import { z } from 'zod'
import type { Account, Limits, Metadata, Receipt } from '../network.ts'

const StoredAccount = z.object({ username: z.string(), isSubscribed: z.boolean() })

/** A subscriber of any level can write longer posts. */
export const charactersFor = (metadata: Metadata): Pick<Limits, 'characters'> => ({
  characters: StoredAccount.parse(metadata).isSubscribed ? 25_000 : 280,
})

export const receiptOf = ({ metadata }: Account, id: string): Receipt => ({
  platformPostId: id,
  permalink: `https://x.com/${StoredAccount.parse(metadata).username}/status/${id}`,
})
