import { and, eq } from 'drizzle-orm'
import { actionsOf } from '#lib/actions.ts'
import type { Context } from '#lib/context.ts'
import type { Database } from '#lib/db.ts'
import type { KeyStore } from '../../tokens/signing-keys.ts'
import { actionSets, services } from '../../schema.ts'
import { serviceTokens } from '../../tokens/tokens.ts'
import { digestOf } from './sync.ts'

/** The only service that can sync actions (IDN-33). */
export const consoleSlug = 'platform-developer-console'

type Handle = (request: Request) => Promise<Response>

/** Through the same route as those of apps (PLT-17), where they differ. @throws when identity refuses it */
export async function syncOwnActions(store: KeyStore, handle: Handle, contexts: readonly Context[]): Promise<void> {
  const token = serviceTokens(store, consoleSlug)
  for (const { slug, operations } of contexts) {
    const actions = actionsOf({ operations })
    if (digestOf(actions) === (await syncedDigest(store.db, slug))) continue
    const response = await handle(syncRequest(await token('platform-identity'), { service: slug, actions }))
    if (!response.ok) throw new Error(`The actions of ${slug} were rejected: ${await response.text()}`)
  }
}

async function syncedDigest(db: Database, slug: string): Promise<string> {
  const [set] = await db
    .select({ digest: actionSets.digest })
    .from(actionSets)
    .innerJoin(services, eq(services.id, actionSets.serviceId))
    .where(and(eq(services.slug, slug), eq(actionSets.app, '')))
  return set?.digest ?? digestOf([])
}

const syncRequest = (token: string, body: object): Request =>
  new Request('http://localhost/api/internal/service-actions/sync', {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
