import { z } from 'zod'
import { list, milliseconds, number, perMinute } from './values.ts'

/** Quotas, leases and time limits. */
export const limitsSettings = {
  /** How long a provider can take until its response begins. */
  AI_RESPONSE_MS: milliseconds(300_000),
  /** How long the payment provider can take; then the outcome of a write is unknown. */
  PAYMENTS_TIMEOUT_MS: milliseconds(30_000),
  /** Seconds until each next look at a payment, refund or payout whose outcome isn’t known. */
  PAYMENTS_SWEEP_S: list
    .transform((parts) => parts.map(Number))
    .pipe(z.array(z.number().min(0.05).max(604_800)).nonempty('Must be seconds, such as 300,3600,86400.'))
    .default([300, 3_600, 86_400, 86_400, 86_400, 86_400, 86_400]),
  /** Calls in progress to one provider’s host, of all organizations: each gets a fair share. */
  AI_CONNECTIONS: z.coerce.number().int().min(1).max(100_000).default(2_000),
  RATE_LIMIT_READS: perMinute(600),
  RATE_LIMIT_WRITES: perMinute(120),
  RATE_LIMIT_UPLOADS: perMinute(60),
  RATE_LIMIT_SIGN_IN: perMinute(10),
  RATE_LIMIT_AI: perMinute(300),
  RATE_LIMIT_INGESTION: perMinute(6000),
  /** Of requests that each ask a provider what happened. */
  RATE_LIMIT_CHECKS: perMinute(30),
  /** Each quota for all credentials of an organization together, as a multiple; 0 for no limit. */
  RATE_LIMIT_ORGANIZATION: number(0, 100_000).default(10),
  /** Messages, waitlist entries and booked demos of one network in an hour; 0 for no limit (DSH-30). */
  RATE_LIMIT_FORMS: number(0, 1_000_000).default(30),
  /** Milliseconds that an upload stays locked without a heartbeat of the receiving server. */
  UPLOAD_LEASE_MS: milliseconds(30_000),
  /** How long the dashboard’s page waits for widgets that are there at once; 0 to send none with it. */
  WIDGETS_WAIT_MS: number(0, 2_000).default(150),
  /** Milliseconds that YouTube has for a part of a video, of at most 4 MiB, before it is asked what it received. */
  VIDEO_CHUNK_MS: milliseconds(60_000),
  IMAGE_WAIT_MS: milliseconds(30_000),
  /** GB of media files that an organization can store. */
  MEDIA_QUOTA_GB: number(1, 1_000_000).default(50),
  /** Videos that this server transcodes at a time, each on two cores; as many as its job runs at once. */
  TRANSCODERS: number(1, 4).default(1),
  PUBLISH_LEASE_MS: milliseconds(30_000),
  PUBLISH_HEARTBEAT_MS: milliseconds(10_000),
  /** Renewed every third of it by the server that works on the item. */
  SETTLEMENT_LEASE_MS: milliseconds(30_000),
  PROVIDER_TIMEOUT_MS: milliseconds(10_000),
  PUBLISH_RETRY_BUDGET_MS: milliseconds(90_000),
  /** Days that single usage records and their request IDs are kept; daily totals stay. */
  USAGE_RAW_DAYS: number(1, 366).default(30),
  /** Between heartbeats of a server that holds budget, and the time without one after which others count its holds as spent. */
  BUDGET_HEARTBEAT_MS: milliseconds(2_000),
  BUDGET_STALE_MS: milliseconds(15_000),
}
