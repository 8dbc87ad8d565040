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
  /** Who answers and bills: the practice provider can stand in for the requested one. */
  provider: string
  baseUrl: string
  apiKey: string
}

interface CredentialQuery {
  organizationId: string
  provider: string
  /** For a test key (IDN-36), which reaches only the practice provider and credentials marked test. */
  test: boolean
}

type Resolver = Pick<Call, 'db' | 'secrets' | 'config' | 'upstreams'>

/** Organization, then platform, then, in development and tests, the practice provider. Null without any of them. */
export async function resolveCredential(call: Resolver, query: CredentialQuery): Promise<ResolvedCredential | null> {
  const { organizationId, provider, test } = query
  const mode = test ? 'test' : 'live'
  const key = `${organizationId} ${provider} ${mode}`
  const stored = await call.upstreams.cachedCredential(key, async () => {
    const [row] = await findRow(call.db).execute({ organizationId, provider, mode })
    return row ? openCredential(call.secrets, row) : null
  })
  return stored ?? practiceCredential(call)
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

const findRow = (db: Database) =>
  prepared(db, 'gateway_credential', () =>
    db
      .select()
      .from(table)
      .where(
        and(
          eq(table.provider, sql.placeholder('provider')),
          eq(table.mode, sql.placeholder('mode')),
          or(eq(table.organizationId, sql.placeholder('organizationId')), isNull(table.organizationId)),
        ),
      )
      .orderBy(sql`${table.organizationId} NULLS LAST`)
      .limit(1),
  )

const Secret = z.object({ apiKey: z.string() })

export function openCredential(secrets: Secrets, row: typeof table.$inferSelect): ResolvedCredential {
  const { id, organizationId, provider, baseUrl, sealedSecret } = row
  const { apiKey } = Secret.parse(JSON.parse(secrets.open(sealedSecret, credentialContext(id))))
  return { id, level: organizationId === null ? 'platform' : 'organization', provider, baseUrl, apiKey }
}
