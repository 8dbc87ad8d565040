import Anthropic from '@anthropic-ai/sdk'
import { desc } from 'drizzle-orm'
import OpenAI from 'openai'
import { serviceTokens } from '#identity'
import { usageLogs } from '../../src/gateway/schema.ts'
import type { Caller, World } from '../support/world.ts'
import { bearer, callerOf } from '../support/world/callers.ts'

/** The official clients, unmodified, against a world in this process. */
export const openAiOf = (world: Pick<World, 'handle'>, caller: Caller, headers: Record<string, string> = {}): OpenAI =>
  new OpenAI({
    apiKey: tokenOf(caller),
    baseURL: 'http://localhost/api/ai',
    defaultHeaders: headers,
    maxRetries: 0,
    fetch: (url, init) => world.handle(new Request(url, init)),
  })

export const anthropicOf = (world: Pick<World, 'handle'>, caller: Caller): Anthropic =>
  new Anthropic({
    apiKey: tokenOf(caller),
    baseURL: 'http://localhost/api/ai',
    maxRetries: 0,
    fetch: (url, init) => world.handle(new Request(url, init)),
  })

const tokenOf = ({ credential }: Caller): string => credential['authorization']?.replace('Bearer ', '') ?? ''

/** A service with a token for the gateway. */
export async function serviceOf({ handle, database, provided }: World, slug: string): Promise<Caller> {
  const store = { db: database.db, secrets: provided.secrets, now: () => new Date(Date.now() + 1000) }
  const token = await serviceTokens(store, slug)('platform-gateway')
  return callerOf(handle, bearer(token))
}

/** The newest record of usage. */
export async function lastUsageOf({ database, provided }: World) {
  await provided.ledger.settled()
  const [row] = await database.db.select().from(usageLogs).orderBy(desc(usageLogs.id)).limit(1)
  return row
}
