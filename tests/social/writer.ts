import { eq } from 'drizzle-orm'
import type { Brand, Connection, Post } from '#social/types'
import { newId } from '#lib/ids.ts'
import { connections, posts, publishAttempts } from '../../src/social/schema.ts'
import type { SocialServer, Person, ApiResponse } from './social-server.ts'

/** A time `minutes` from now. */
export const inMinutes = (minutes: number): string => new Date(Date.now() + minutes * 60_000).toISOString()

/** A brand with a connected sandbox account, and helpers to write for it. */
export async function createWriter(desk: SocialServer, person: Person = desk.person()) {
  const brand = (await person.fetch<Brand>('POST /api/brands', { name: 'Acme Coffee', timeZone: 'Europe/Berlin' })).body
  const connected = await person.fetch<{ connection: Connection }>('POST /api/integrations/sandbox/connect', {
    brandId: brand.id,
    handle: `acme-${newId().slice(-12)}`,
  })
  const { connection } = connected.body
  const write = <Answer = Post>(values: Record<string, unknown>): Promise<ApiResponse<Answer>> =>
    person.fetch<Answer>('POST /api/posts', { brandId: brand.id, provider: 'sandbox', text: 'Hello', ...values })
  return {
    person,
    brand,
    connection,
    write,
    draft: async (text = 'Hello') => (await write({ text })).body,
    scheduled: async (text = 'Hello', minutes = 60) =>
      (await write({ text, status: 'scheduled', scheduledAt: inMinutes(minutes) })).body,
    thread: async (...texts: string[]) =>
      (
        await write<{ threadId: string; items: Post[] }>({
          text: undefined,
          thread: texts.map((text) => ({ text })),
          status: 'scheduled',
          scheduledAt: inMinutes(60),
        })
      ).body,
    change: <Answer = Post>(id: string, values: Record<string, unknown>) =>
      person.fetch<Answer>(`PUT /api/posts/${id}`, values),
  }
}
export type Writer = Awaited<ReturnType<typeof createWriter>>

const unscheduled = { dueAt: null, leaseOwner: null, waitingFor: null }

/** Sets a post to the state in which the scheduler leaves a failed one. */
export const markFailed = ({ database }: SocialServer, id: string, failureCode = 'provider_refused') =>
  database.db
    .update(posts)
    .set({
      ...unscheduled,
      status: 'failed',
      scheduledAt: new Date(Date.now() - 1000),
      failureCode,
      failureMessage: 'No.',
      failedAt: new Date(),
      failureRetryable: true,
    })
    .where(eq(posts.id, id))

/** Sets a post to the state in which the scheduler leaves a published one. */
export const markPublished = ({ database }: SocialServer, id: string, platformPostId: string = newId()) =>
  database.db
    .update(posts)
    .set({ ...unscheduled, status: 'published', platformPostId, externalAccount: 'acme', publishedAt: new Date() })
    .where(eq(posts.id, id))

/**
 * An attempt as the scheduler writes it before it calls the network; `unknown` when the response was lost permanently.
 */
export async function addAttempt(
  { database }: SocialServer,
  { brandId, id: postId }: Post,
  state: 'sending' | 'unknown',
): Promise<void> {
  const [connection] = await database.db.select().from(connections).where(eq(connections.brandId, brandId))
  if (!connection) throw new Error('The brand has no account')
  await database.db.insert(publishAttempts).values({
    brandId,
    postId,
    number: 1,
    connectionId: connection.id,
    provider: 'sandbox',
    externalAccount: connection.externalId,
    state,
    retrySafety: 'reconcile_only',
    payloadHash: 'hash',
    payload: { text: 'Hello', replyTo: null },
    leaseOwner: newId(),
    startedAt: new Date(),
    settledAt: state === 'sending' ? null : new Date(),
  })
}
