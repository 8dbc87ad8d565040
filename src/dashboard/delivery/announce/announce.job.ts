import { and, asc, eq, inArray, isNull } from 'drizzle-orm'
import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { job, type JobDependencies } from '#lib/job.ts'
import type { Queue } from '#lib/queue.ts'
import type { Database } from '#lib/db.ts'
import { chatWebhooks, notificationDeliveries, notifications } from '../../schema.ts'
import { readAudience } from '../audience.ts'
import { channelsOf, kindOf } from '../kinds.ts'
import { enqueueSending } from '../send.ts'
import { decideDeliveries } from './decide.ts'
import { listReaders, type Reader } from './readers.ts'

const batchSize = 100
/** So that what is raised at once is told of together. */
const gatherSeconds = 2

type Unannounced = typeof notifications.$inferSelect
type Draft = typeof notificationDeliveries.$inferInsert

/** Decides who is told of new notifications of an organization, and how. */
export const announceNotifications = job({
  name: 'dashboard.announce-notifications',
  input: z.object({ organizationId: Id }),
  concurrency: 4,
  perTenant: { of: ({ organizationId }) => organizationId, concurrency: 1 },
  uniqueBy: ({ organizationId }) => organizationId,
  retries: 12,
  run: async (call) => {
    const { organizationId } = call.input
    const rows = await call.database.db
      .select()
      .from(notifications)
      .where(and(eq(notifications.organizationId, organizationId), isNull(notifications.announcedAt)))
      .orderBy(asc(notifications.id))
      .limit(batchSize)
    if (rows.length === 0) return
    const open = rows.filter(({ resolvedAt }) => resolvedAt === null)
    if (open.length > 0) await announce(call, organizationId, open)
    await call.database.db
      .update(notifications)
      .set({ announcedAt: call.now() })
      .where(and(inArray(notifications.id, idsOf(rows)), isNull(notifications.announcedAt)))
    if (rows.length === batchSize) await call.queue.enqueue(call.database.db, announceNotifications, { organizationId })
  },
})

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id)

/** On the transaction that stores a notification. */
export const enqueueAnnouncing = (db: Database, queue: Queue, organizationId: string): Promise<void> =>
  queue.enqueue(db, announceNotifications, { organizationId }, { startAfter: gatherSeconds })

/** What is stored stays stored when a later page fails: the whole is repeated, and adds what is missing. */
async function announce(call: JobDependencies, organizationId: string, open: Unannounced[]): Promise<void> {
  const shared = { organizationId, createdAt: call.now() }
  let isSuspended = true
  for await (const audience of readAudience(call, organizationId)) {
    isSuspended = false
    const readers = await listReaders(call, audience, idsOf(open))
    await storeDeliveries(call, draftPersonal(call, shared, { readers, open }))
  }
  if (!isSuspended) await storeDeliveries(call, await draftChat(call, shared, open))
}

const draftPersonal = (
  { notificationKinds: kinds }: JobDependencies,
  shared: { organizationId: string; createdAt: Date },
  { readers, open }: { readers: Reader[]; open: Unannounced[] },
): Draft[] =>
  readers.flatMap((reader) =>
    open
      .filter(({ id }) => reader.visible.has(id))
      .flatMap((notification) =>
        decideDeliveries(reader, notification, { kinds, at: shared.createdAt }).map((draft) => ({
          ...shared,
          ...draft,
          notificationId: notification.id,
        })),
      ),
  )

/** What is for one person only isn’t shown in a channel. */
async function draftChat(
  { database: { db }, notificationKinds }: JobDependencies,
  shared: { organizationId: string; createdAt: Date },
  open: Unannounced[],
): Promise<Draft[]> {
  const [webhook] = await db.select().from(chatWebhooks).where(eq(chatWebhooks.organizationId, shared.organizationId))
  if (!webhook?.enabled) return []
  return open
    .filter(({ personId, kind: name }) => {
      const kind = kindOf(notificationKinds, name)
      const chosen = webhook.choices[kind.name]
      return personId === null && channelsOf(kind, chosen === undefined ? {} : { chat: chosen }).chat
    })
    .map(({ id }) => ({
      ...shared,
      notificationId: id,
      channel: 'chat' as const,
      targetId: webhook.id,
      personId: null,
      dueAt: shared.createdAt,
    }))
}

/** Another server, or an attempt that failed, may have stored some of them. */
const storeDeliveries = (call: JobDependencies, drafts: Draft[]): Promise<void> =>
  call.database.transaction(async (tx) => {
    const stored: Draft[] = []
    for (let at = 0; at < drafts.length; at += 1_000) {
      const part = drafts.slice(at, at + 1_000)
      stored.push(...(await tx.insert(notificationDeliveries).values(part).onConflictDoNothing().returning()))
    }
    const now = call.now()
    await enqueueSending(
      tx,
      call.queue,
      stored.filter(({ dueAt }) => dueAt <= now),
    )
  })
