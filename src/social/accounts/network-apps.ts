import { and, desc, eq } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { newId } from '#lib/ids.ts'
import { sealContext } from '#lib/secrets/sealed.ts'
import type { Secrets } from '#lib/secrets.ts'
import type { Provider } from '../contract.ts'
import type { App, Apps } from '../networks/network.ts'
import { networkApps } from '../schema.ts'

const contextOf = (id: string): string => sealContext(networkApps.sealedSecret, id)

export const createApps = (db: Database, secrets: Secrets, provider: Provider): Apps => ({
  find: async (host, redirectUri) => {
    const place = and(
      eq(networkApps.provider, provider),
      eq(networkApps.host, host),
      eq(networkApps.redirectUri, redirectUri),
    )
    const [row] = await db.select().from(networkApps).where(place)
    return row ? { clientId: row.clientId, clientSecret: secrets.open(row.sealedSecret, contextOf(row.id)) } : null
  },
  keep: async (host, redirectUri, { clientId, clientSecret }) => {
    // A new ID each time, since the secret is sealed for it.
    const id = newId()
    const app = { id, clientId, sealedSecret: secrets.seal(clientSecret, contextOf(id)) }
    await db
      .insert(networkApps)
      .values({ ...app, provider, host, redirectUri })
      .onConflictDoUpdate({ target: [networkApps.provider, networkApps.host, networkApps.redirectUri], set: app })
  },
})

export async function listApps(db: Database, secrets: Secrets, provider: Provider, host: string): Promise<App[]> {
  const rows = await db
    .select()
    .from(networkApps)
    .where(and(eq(networkApps.provider, provider), eq(networkApps.host, host)))
    .orderBy(desc(networkApps.id))
  return rows.map(({ id, clientId, sealedSecret }) => ({
    clientId,
    clientSecret: secrets.open(sealedSecret, contextOf(id)),
  }))
}
