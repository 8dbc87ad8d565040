import { and, eq, isNull, or, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Call } from '#lib/call.ts'
import { prepared, type Database } from '#lib/db.ts'
import type { Secrets } from '#lib/secrets.ts'
import { practiceProvider, practiceUrl } from '../providers/known.ts'
import { providerCredentials as table } from '../schema.ts'
import { credentialContext } from './credentials.ts'

export interface ResolvedCredential {
  /** Null for the practice provider, which needs no key. */
  id: string | null
  level: 'organization' | 'platform' | 'practice'
  provider: string
  baseUrl: string
  apiKey: string
  /** While this key takes over (GTW-03): the old one, for when the provider rejects this one. */
  old?: ResolvedCredential
}

interface Payer {
  organizationId: string
  /** For a test key (IDN-36), which reaches only the practice provider and credentials marked test. */
  test: boolean
}

type Row = typeof table.$inferSelect
type Resolver = Pick<Call, 'db' | 'secrets' | 'config' | 'upstreams'>

/**
 * By provider, those of the organization first: its own, else the platform’s; in development and tests the practice
 * provider’s, too.
 */
export async function usableCredentials(
  call: Resolver,
  { organizationId, test }: Payer,
): Promise<ReadonlyMap<string, ResolvedCredential>> {
  const mode = test ? 'test' : 'live'
  return call.upstreams.cachedCredentials(`${organizationId} ${mode}`, async () => {
    const rows = await findRows(call.db).execute({ organizationId, mode })
    const found = new Map<string, ResolvedCredential>()
    for (const row of rows) {
      const old = found.get(row.provider)
      if (!old && row.status === 'active') found.set(row.provider, openCredential(call.secrets, row))
      else if (old && takesOver(row, old)) found.set(row.provider, { ...openCredential(call.secrets, row), old })
    }
    const practice = practiceCredential(call)
    if (practice && !found.has(practiceProvider)) found.set(practiceProvider, practice)
    return found
  })
}

/** An incoming key is used first, unless the provider has rejected it. */
const takesOver = ({ status, health, organizationId }: Row, old: ResolvedCredential): boolean =>
  status === 'incoming' && health !== 'unhealthy' && levelOf({ organizationId }) === old.level

const practiceCredential = ({ config }: Pick<Call, 'config'>): ResolvedCredential | null =>
  config.offlineHelps
    ? {
        id: null,
        level: 'practice',
        provider: practiceProvider,
        baseUrl: practiceUrl(config),
        apiKey: practiceProvider,
      }
    : null

const findRows = (db: Database) =>
  prepared(db, 'gateway_credentials', () =>
    db
      .select()
      .from(table)
      .where(
        and(
          eq(table.mode, sql.placeholder('mode')),
          or(eq(table.organizationId, sql.placeholder('organizationId')), isNull(table.organizationId)),
        ),
      )
      .orderBy(sql`${table.organizationId} NULLS LAST`, table.provider, table.status),
  )

const Secret = z.object({ apiKey: z.string() })

export type SealedKey = Pick<Row, 'id' | 'organizationId' | 'provider' | 'baseUrl' | 'sealedSecret'>

export function openCredential(secrets: Secrets, row: SealedKey): ResolvedCredential {
  const { id, organizationId, provider, baseUrl, sealedSecret } = row
  const { apiKey } = Secret.parse(JSON.parse(secrets.open(sealedSecret, credentialContext(id))))
  return { id, level: levelOf({ organizationId }), provider, baseUrl, apiKey }
}

const levelOf = ({ organizationId }: Pick<Row, 'organizationId'>) =>
  organizationId === null ? 'platform' : 'organization'
