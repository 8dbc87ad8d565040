import { and, eq, gt, inArray, or, sql } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import type { MediaRow } from '../media/files.ts'
import { appOf } from '../networks/app.ts'
import { countedBy } from '../publishing/rate-windows.ts'
import { listUnapproved } from '../review/gate.ts'
import { media, rateWindows } from '../schema.ts'
import { assess, type Assessment } from './assess.ts'
import { readFacts, type PostFacts } from './facts.ts'
import { findExceededQuotas } from './planned.ts'

export interface ReadyPost {
  facts: PostFacts
  readiness: Assessment
}

/**
 * Whether these posts will be published, by what is stored; without those that aren’t scheduled any more, or are due.
 * `missing`: IDs of files that a check has just found missing, by post.
 */
export async function readReadiness(
  db: Database,
  ids: readonly string[],
  now: Date,
  missing: ReadonlyMap<string, string[]> = new Map(),
): Promise<Map<string, ReadyPost>> {
  const stored = await readFacts(db, ids)
  const all = stored.map((facts) => ({ ...facts, missingFiles: missing.get(facts.id) ?? facts.missingFiles }))
  const [files, windows, exceeded, unapproved] = await Promise.all([
    readMedia(db, all),
    readWindows(db, all),
    findExceededQuotas(db, all),
    listUnapproved(
      db,
      all.map(({ id }) => id),
    ),
  ])
  return new Map(
    all.map((facts) => [
      facts.id,
      {
        facts,
        readiness: assess(facts, {
          media: files,
          opensAt: opensAtOf(facts, windows),
          exceeded: exceeded.get(facts.id) ?? null,
          now,
          unapproved: unapproved.get(facts.id) ?? null,
        }),
      },
    ]),
  )
}

export async function readMedia(db: Database, all: readonly PostFacts[]): Promise<Map<string, MediaRow>> {
  const ids = [...new Set(all.flatMap((post) => post.media.map(({ mediaId }) => mediaId)))]
  if (ids.length === 0) return new Map()
  const ofBrands = inArray(media.brandId, [...new Set(all.map(({ brandId }) => brandId))])
  const rows = await db
    .select()
    .from(media)
    .where(and(ofBrands, inArray(media.id, ids)))
  return new Map(rows.map((row) => [row.id, row]))
}

type Window = typeof rateWindows.$inferSelect

async function readWindows(db: Database, all: readonly PostFacts[]): Promise<Window[]> {
  const places = new Map(
    all.flatMap(({ provider, account }) =>
      account ? [[`${provider} ${account.host}`, { provider, host: account.host }]] : [],
    ),
  )
  if (places.size === 0) return []
  const ofPlaces = [...places.values()].map(({ provider, host }) =>
    and(eq(rateWindows.provider, provider), eq(rateWindows.host, host)),
  )
  return db
    .select()
    .from(rateWindows)
    .where(and(gt(rateWindows.opensAt, sql`now()`), or(...ofPlaces)))
}

function opensAtOf({ provider, account }: PostFacts, windows: readonly Window[]): Date | null {
  if (!account) return null
  const { externalId, metadata } = account
  const counted = new Set(['', externalId, countedBy({ account: externalId, app: appOf(metadata) }, 'app')])
  const own = windows.filter(
    (window) => window.provider === provider && window.host === account.host && counted.has(window.account),
  )
  return own.reduce<Date | null>((latest, { opensAt }) => (latest && latest > opensAt ? latest : opensAt), null)
}
