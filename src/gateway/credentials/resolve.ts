import { and, eq, isNull, or, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Call } from '#lib/call.ts'
import { prepared, type Database } from '#lib/db.ts'
import type { Secrets } from '#lib/secrets.ts'
import { sealContext } from '#lib/secrets/sealed.ts'
import { practiceProvider, practiceUrl } from '../providers/known.ts'
import { providerCredentials as table } from '../schema.ts'
import { secretSchemaOf, servesModels, type KnownProvider, type SecretMembers, type SecretOf } from './kinds.ts'

interface Resolved {
  /** Null for the practice provider, which needs no key. */
  id: string | null
  level: 'organization' | 'platform' | 'practice'
  provider: string
  baseUrl: string
}

/** For any provider. */
export interface ProviderCredential<Secret = SecretMembers> extends Resolved {
  secret: Secret
  /** The account that the key is of at the provider; null until it was asked. */
  accountId?: string | null
  /** While this one takes over (GTW-03): the old one, for when the provider rejects this one. */
  old?: ProviderCredential<Secret>
}

/** For a provider of models. */
export interface ResolvedCredential extends Resolved {
  apiKey: string
  old?: ResolvedCredential
}

export interface UsableCredentials {
  byProvider: ReadonlyMap<string, ProviderCredential>
  forModels: ReadonlyMap<string, ResolvedCredential>
}

interface Payer {
  /** Null for the platform’s own calls. */
  organizationId: string | null
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
  payer: Payer,
): Promise<ReadonlyMap<string, ResolvedCredential>> {
  return (await loadCredentials(call, payer)).forModels
}

/** The organization’s own, else the platform’s, else null; never the practice provider’s. */
export async function resolveCredential<Name extends KnownProvider>(
  call: Resolver,
  { provider, ...payer }: Payer & { provider: Name },
): Promise<ProviderCredential<SecretOf<Name>> | null> {
  const found = (await loadCredentials(call, payer)).byProvider.get(provider)
  return found ? withSecret(found, secretSchemaOf(provider)) : null
}

const withSecret = <Secret>(
  { old, ...credential }: ProviderCredential,
  schema: z.ZodType<Secret>,
): ProviderCredential<Secret> => ({
  ...credential,
  secret: schema.parse(credential.secret),
  ...(old && { old: withSecret(old, schema) }),
})

function loadCredentials(call: Resolver, { organizationId, test }: Payer): Promise<UsableCredentials> {
  const mode = test ? 'test' : 'live'
  return call.upstreams.cachedCredentials(`${organizationId} ${mode}`, async () => {
    const rows = await findRows(call.db).execute({ organizationId, mode })
    const found = new Map<string, ProviderCredential>()
    for (const row of rows) {
      const old = found.get(row.provider)
      if (!old && row.status === 'active') found.set(row.provider, openCredential(call.secrets, row))
      else if (old && takesOver(row, old)) found.set(row.provider, { ...openCredential(call.secrets, row), old })
    }
    const forModels = new Map<string, ResolvedCredential>()
    for (const [provider, credential] of found)
      if (servesModels(provider)) forModels.set(provider, modelCredential(credential))
    const practice = practiceCredential(call)
    if (practice && !forModels.has(practiceProvider)) forModels.set(practiceProvider, practice)
    return { byProvider: found, forModels }
  })
}

/** An incoming key is used first, unless the provider has rejected it. */
const takesOver = ({ status, health, organizationId }: Row, old: ProviderCredential): boolean =>
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

export const credentialContext = (id: string): string => sealContext(table.sealedSecret, id)

const StoredSecret = z.record(z.string(), z.string())

export type SealedKey = Pick<Row, 'id' | 'organizationId' | 'provider' | 'baseUrl' | 'sealedSecret'> &
  Partial<Pick<Row, 'accountId'>>

export function openCredential(secrets: Secrets, row: SealedKey): ProviderCredential {
  const { id, organizationId, provider, baseUrl, sealedSecret, accountId = null } = row
  const secret = StoredSecret.parse(JSON.parse(secrets.open(sealedSecret, credentialContext(id))))
  return { id, level: levelOf({ organizationId }), provider, baseUrl, accountId, secret }
}

export const modelCredential = ({ secret, old, ...credential }: ProviderCredential): ResolvedCredential => ({
  ...credential,
  apiKey: secret['apiKey'] ?? '',
  ...(old && { old: modelCredential(old) }),
})

const levelOf = ({ organizationId }: Pick<Row, 'organizationId'>) =>
  organizationId === null ? 'platform' : 'organization'
