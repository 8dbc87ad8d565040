import { and, eq, isNull } from 'drizzle-orm'
import type { Provided } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { servesModels } from '../credentials/kinds.ts'
import { modelCredential, openCredential } from '../credentials/resolve.ts'
import { authHeaders } from '../providers/headers.ts'
import { dialectOf } from '../providers/known.ts'
import { providerCredentials } from '../schema.ts'
import { readModelList } from './listed-model.ts'
import type { CatalogSource } from './sync.ts'

/** The model list of each provider for which the platform has a credential. */
export async function listProviderSources(
  { secrets, upstreams }: Pick<Provided, 'secrets' | 'upstreams'>,
  db: Database,
  at: Date,
): Promise<CatalogSource[]> {
  const rows = await db
    .select()
    .from(providerCredentials)
    .where(
      and(
        isNull(providerCredentials.organizationId),
        eq(providerCredentials.mode, 'live'),
        eq(providerCredentials.status, 'active'),
      ),
    )
  return rows
    .filter(({ provider }) => servesModels(provider))
    .map((row) => ({
      name: `${row.provider} models`,
      provider: row.provider,
      read: async (signal) => {
        const credential = modelCredential(openCredential(secrets, row))
        const headers = authHeaders(dialectOf(row.provider), credential.apiKey)
        const response = await upstreams.fetch(credential, '/models', { headers, signal })
        if (!response.ok) {
          await response.body?.cancel()
          throw new Error(`${row.provider} responded ${response.status}.`)
        }
        return readModelList(await response.json(), at)
      },
    }))
}
