import { and, eq, gt, isNotNull, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { forEachSettled } from '#lib/each.ts'
import { job, type JobDependencies, type Work } from '#lib/job.ts'
import { publicUrlOfJob } from '#lib/public-url.ts'
import { networkOf, refreshAheadByProvider } from '../../networks/index.ts'
import type { Account, Network, Renewal } from '../../networks/network.ts'
import { outsideOf } from '../../networks/outside.ts'
import { connections } from '../../schema.ts'
import { openAccount, renewTokens } from './tokens.ts'

type Row = typeof connections.$inferSelect

const batchSize = 200
/** Requests for tokens at a time. Sign-in shares the database, of which none is held while a network responds. */
const concurrency = 8
const maxSeconds = 15 * 60

/** Tokens of weeks, which can’t be refreshed once they have expired. What fails is tried again an hour later. */
export const refreshLongLivedTokens = job({
  name: 'social.refresh-long-lived-tokens',
  input: z.object({}),
  retries: 0,
  maxSeconds,
  uniqueBy: () => 'all',
  run: async (work) => {
    for (const [provider, aheadMs] of refreshAheadByProvider)
      await refreshAll(work, and(eq(connections.provider, provider), expireWithin(aheadMs)))
  },
})

/** Tokens of hours, of accounts that publish soon, so that no post waits for a refresh. */
export const refreshTokensOfDuePosts = job({
  name: 'social.refresh-tokens-of-due-posts',
  input: z.object({}),
  retries: 0,
  maxSeconds,
  uniqueBy: () => 'all',
  run: (work) =>
    refreshAll(
      work,
      and(
        expireWithin(15 * 60_000),
        sql`(${connections.brandId}, ${connections.provider}) IN (
          SELECT brand_id, provider FROM social.posts WHERE status = 'scheduled' AND due_at < now() + interval '1 hour')`,
      ),
    ),
})

const expireWithin = (ms: number): SQL => sql`${connections.expiresAt} < now() + ${ms} * interval '1 millisecond'`

async function refreshAll(work: JobDependencies, which: SQL | undefined): Promise<void> {
  for (let last: string | undefined; ;) {
    const rows = await work.database.db
      .select()
      .from(connections)
      .where(
        and(
          which,
          eq(connections.active, true),
          eq(connections.health, 'ok'),
          isNotNull(connections.sealedTokens),
          last ? gt(connections.id, last) : undefined,
        ),
      )
      .orderBy(connections.id)
      .limit(batchSize)
    await forEachSettled(rows, (row) => refresh(work, row), concurrency)
    if (rows.length < batchSize) return
    last = rows.at(-1)?.id
  }
}

/** An error of the network keeps the account. */
async function refresh(work: JobDependencies, row: Row): Promise<void> {
  const network = networkOf(row.provider)
  const refused = openAccount(work.secrets, row)
  if (network && isRefreshable(network, refused)) await renewInJob(work, { id: row.id, network, refused })
}

export const isRefreshable = ({ connect, renew }: Network, { tokens }: Account): boolean =>
  renew !== undefined && (connect.by !== 'authorize' || tokens['refresh'] !== undefined)

interface Renewed {
  id: string
  network: Network
  refused: Account
}

export function renewInJob(work: Work, { id, network, refused }: Renewed): Promise<Renewal> {
  const { config, database, gateway, outbound, secrets } = work
  return renewTokens({
    emitting: work,
    database,
    secrets,
    credentials: gateway.social,
    outside: outsideOf(config, publicUrlOfJob('/', config), outbound),
    network,
    connectionId: id,
    refused,
    message: `${network.name} no longer accepts the account’s token.`,
    timeoutMs: config.PROVIDER_TIMEOUT_MS,
  })
}
