import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { customPriceOf } from '../models/custom-prices.ts'
import { readSettings } from '../models/choose.ts'
import { costOf } from '../models/prices.ts'

/** Under which custom prices of emails are set: `requestsPerThousand` of this model. */
const emailModel = 'email'

interface ListPrice {
  /** The first day, as YYYY-MM-DD. */
  since: string
  /** For each recipient. */
  nanoUsd: bigint
}

/** The providers’ list prices beyond what their plans include, the latest first. A mail server of your own costs nothing. */
const listPrices: Readonly<Record<string, readonly ListPrice[]>> = {
  resend: [{ since: '2025-01-01', nanoUsd: 400_000n }],
  cloudflare_email: [{ since: '2026-01-01', nanoUsd: 350_000n }],
  platform: [{ since: '2026-01-01', nanoUsd: 100_000n }],
  smtp: [{ since: '2026-01-01', nanoUsd: 0n }],
}

export interface EmailCost {
  nanoUsd: bigint
  priceDate: string | null
}

/** A price that people entered, else the list price; nothing in the mailbox. */
export async function costOfEmail(
  { db, config }: Pick<Call, 'config'> & { db: Database },
  { organizationId, provider, recipients }: { organizationId: string | null; provider: string; recipients: number },
  at: Date,
): Promise<EmailCost> {
  if (organizationId !== null) {
    const { prices } = await readSettings(db, organizationId, config.offlineHelps)
    const level = provider === 'platform' ? 'platform' : 'organization'
    const custom = customPriceOf(prices, { provider, model: emailModel, level }, at)
    if (custom)
      return {
        nanoUsd: costOf(custom, { inputTokens: 0, outputTokens: 0, requests: recipients }),
        priceDate: custom.since,
      }
  }
  const day = at.toISOString().slice(0, 10)
  const listed = listPrices[provider]?.find(({ since }) => since <= day)
  return listed
    ? { nanoUsd: listed.nanoUsd * BigInt(recipients), priceDate: listed.since }
    : { nanoUsd: 0n, priceDate: null }
}
