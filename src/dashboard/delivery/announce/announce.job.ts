import { and, asc, eq, inArray, isNull } from 'drizzle-orm'
import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { job, type JobDependencies } from '#lib/job.ts'
import type { Queue } from '#lib/queue.ts'
import type { Database } from '#lib/db.ts'
import { chatWebhooks, notificationDeliveries, notifications } from '../../schema.ts'
import { channelsOf, kindOf } from '../kinds.ts'
import { enqueueSending } from '../send.ts'
import { decideDeliveries } from './decide.ts'
import { listReaders } from './readers.ts'

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
    const drafts = await draftDeliveries(call, organizationId, rows)
    await call.database.transaction((tx) => storeDeliveries(tx, call, rows, drafts))
    if (rows.length === batchSize) await call.queue.enqueue(call.database.db, announceNotifications, { organizationId })
  },
})

/** On the transaction that stores a notification. */
export const enqueueAnnouncing = (db: Database, queue: Queue, organizationId: string): Promise<void> =>
  queue.enqueue(db, announceNotifications, { organizationId }, { startAfter: gatherSeconds })

async function draftDeliveries(call: JobDependencies, organizationId: string, rows: Unannounced[]): Promise<Draft[]> {
  const open = rows.filter(({ resolvedAt }) => resolvedAt === null)
  if (open.length === 0) return []
  const at = call.now()
  const readers = await listReaders(
    call,
    organizationId,
    open.map(({ id }) => id),
  )
  const shared = { organizationId, createdAt: at }
  const personal = readers.flatMap((reader) =>
    open
      .filter(({ id }) => reader.visible.has(id))
      .flatMap((notification) =>
        decideDeliveries(reader, notification, { kinds: call.notificationKinds, at }).map((draft) => ({
          ...shared,
          ...draft,
          notificationId: notification.id,
        })),
      ),
  )
  // Without readers the organization is suspended.
  return readers.length === 0 ? [] : [...personal, ...(await draftChat(call, shared, open))]
}

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

/** Another server may have announced some of them meanwhile. */
async function storeDeliveries(
  tx: Database,
  call: JobDependencies,
  rows: Unannounced[],
  drafts: Draft[],
): Promise<void> {
  const ids = rows.map(({ id }) => id)
  const announced = await tx
    .update(notifications)
    .set({ announcedAt: call.now() })
    .where(and(inArray(notifications.id, ids), isNull(notifications.announcedAt)))
    .returning({ id: notifications.id })
  const won = new Set(announced.map(({ id }) => id))
  const mine = drafts.filter(({ notificationId }) => won.has(notificationId))
  for (let at = 0; at < mine.length; at += 1_000)
    await tx
      .insert(notificationDeliveries)
      .values(mine.slice(at, at + 1_000))
      .onConflictDoNothing()
  const now = call.now()
  await enqueueSending(
    tx,
    call.queue,
    mine.filter(({ dueAt }) => dueAt <= now),
  )
}
