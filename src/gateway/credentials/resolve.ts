import { and, eq, isNull, or, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Call } from '#lib/call.ts'
import { prepared, type Database } from '#lib/db.ts'
import type { Secrets } from '#lib/secrets.ts'
import { practiceProvider } from '../providers/known.ts'
import { providerCredentials as table } from '../schema.ts'
import { credentialContext } from './credentials.ts'

export interface ResolvedCredential {
  /** Null for the practice provider, which needs no key. */
  id: string | null
  level: 'organization' | 'platform' | 'practice'
  provider: string
  baseUrl: string
  apiKey: string
}

interface Payer {
  organizationId: string
  /** For a test key (IDN-36), which reaches only the practice provider and credentials marked test. */
  test: boolean
}

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
    for (const row of rows) if (!found.has(row.provider)) found.set(row.provider, openCredential(call.secrets, row))
    const practice = practiceCredential(call)
    if (practice && !found.has(practiceProvider)) found.set(practiceProvider, practice)
    return found
  })
}

const practiceCredential = ({ config }: Pick<Call, 'config'>): ResolvedCredential | null =>
  config.offlineHelps
    ? {
        id: null,
        level: 'practice',
        provider: practiceProvider,
        baseUrl: config.MODELS_URL ?? '/dev/models/v1',
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
      .orderBy(sql`${table.organizationId} NULLS LAST`, table.provider),
  )

const Secret = z.object({ apiKey: z.string() })

export function openCredential(secrets: Secrets, row: typeof table.$inferSelect): ResolvedCredential {
  const { id, organizationId, provider, baseUrl, sealedSecret } = row
  const { apiKey } = Secret.parse(JSON.parse(secrets.open(sealedSecret, credentialContext(id))))
  return { id, level: organizationId === null ? 'platform' : 'organization', provider, baseUrl, apiKey }
}
