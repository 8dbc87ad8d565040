import { and, asc, eq, inArray, lte } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '#lib/db.ts'
import { Id } from '#lib/ids.ts'
import { job, type JobDependencies } from '#lib/job.ts'
import { publicUrlOfJob } from '#lib/public-url.ts'
import { notificationsLetter } from '#views/emails/notifications.tsx'
import { notificationDeliveries, notifications } from '../../schema.ts'
import { resolvedBefore, settleDeliveries } from '../claim.ts'
import { channelsOf, kindOf } from '../kinds.ts'
import { countDelivery } from '../metrics.ts'
import type { Owner } from '../preferences/row.ts'
import { findRecipient, type Recipient } from '../recipient.ts'
import { createUnsubscribeToken } from './unsubscribe-token.ts'

const maxItems = 100

type Row = typeof notifications.$inferSelect
interface Due {
  id: string
  notification: Row
}

/** One email with all that is due for a person. It is in the outbox once the deliveries are settled, and only then. */
export const sendEmail = job({
  name: 'dashboard.email-notifications',
  input: z.object({ organizationId: Id, personId: Id }),
  concurrency: 4,
  perTenant: { of: ({ organizationId }) => organizationId, concurrency: 2 },
  uniqueBy: ({ organizationId, personId }) => `${organizationId} ${personId}`,
  retries: 12,
  run: async (call) => {
    const due = await listDue(call)
    if (due.length === 0) return
    const recipient = await findRecipient(
      call,
      call.input,
      due.map(({ notificationId }) => notificationId),
    )
    await call.database.transaction((tx) => sendTo(tx, call, { due, recipient }))
    if (due.length === maxItems) await call.queue.enqueue(call.database.db, sendEmail, call.input)
  },
})

type Work = JobDependencies & { readonly input: Owner }

const listDue = ({ input: { organizationId, personId }, database: { db }, now }: Work) =>
  db
    .select({ id: notificationDeliveries.id, notificationId: notificationDeliveries.notificationId })
    .from(notificationDeliveries)
    .where(
      and(
        eq(notificationDeliveries.channel, 'email'),
        eq(notificationDeliveries.targetId, personId),
        eq(notificationDeliveries.organizationId, organizationId),
        eq(notificationDeliveries.state, 'waiting'),
        lte(notificationDeliveries.dueAt, now()),
      ),
    )
    .orderBy(asc(notificationDeliveries.dueAt), asc(notificationDeliveries.id))
    .limit(maxItems)

type Listed = Awaited<ReturnType<typeof listDue>>

function isEmailed({ notificationKinds }: Work, { visible, preferences }: Recipient, { id, kind: name }: Row): boolean {
  const kind = kindOf(notificationKinds, name)
  if (!visible.has(id)) return false
  if (kind.locked?.includes('email')) return true
  const { email, push } = channelsOf(kind, preferences.choices[kind.name])
  // What quiet hours held of push messages comes as an email.
  return preferences.email && (email || (push && preferences.push && preferences.quietHours))
}

interface Sending {
  due: Listed
  recipient: Recipient | null
}

/** Another server that looks at the same time finds them locked or settled, and sends nothing. */
async function sendTo(tx: Database, call: Work, { due: listed, recipient }: Sending): Promise<void> {
  const due = await lockDue(tx, listed)
  const at = call.now()
  const drop = (rows: Due[], problem: string) =>
    settleDeliveries(
      tx,
      rows.map(({ id }) => id),
      { state: 'dropped', problem },
      at,
    )
  const open = due.filter(({ notification }) => notification.resolvedAt === null)
  const chosen = recipient ? open.filter(({ notification }) => isEmailed(call, recipient, notification)) : []
  await drop(
    due.filter((one) => !open.includes(one)),
    resolvedBefore,
  )
  await drop(
    open.filter((one) => !chosen.includes(one)),
    'The person can’t see it, or turned emails off.',
  )
  if (!recipient || chosen.length === 0) return
  const mailId = await call.mail.send(tx, recipient.member.email, letterOf(call, recipient, chosen), at)
  await settleDeliveries(
    tx,
    chosen.map(({ id }) => id),
    { state: 'sent', mailId },
    at,
  )
  countDelivery('email', 'sent', chosen.length)
}

async function lockDue(tx: Database, listed: Listed): Promise<Due[]> {
  const ids = listed.map(({ id }) => id)
  const locked = await tx
    .select({ id: notificationDeliveries.id, notificationId: notificationDeliveries.notificationId })
    .from(notificationDeliveries)
    .where(and(inArray(notificationDeliveries.id, ids), eq(notificationDeliveries.state, 'waiting')))
    .for('update', { skipLocked: true })
  const rows = await tx
    .select()
    .from(notifications)
    .where(
      inArray(
        notifications.id,
        locked.map(({ notificationId }) => notificationId),
      ),
    )
    .orderBy(asc(notifications.raisedAt), asc(notifications.id))
  return rows.flatMap((notification) =>
    locked.filter(({ notificationId }) => notificationId === notification.id).map(({ id }) => ({ id, notification })),
  )
}

const letterOf = ({ config, secrets, input }: Work, { organization }: Recipient, due: Due[]) => {
  const url = (path: string) => publicUrlOfJob(path, config)
  return notificationsLetter({
    organization: organization.name,
    items: due.map(({ notification: { id, title, reason, href } }) => ({
      title,
      reason,
      // What programs posted could lead anywhere.
      href: url(href.startsWith('/') ? href : `/actions#action-${id}`),
    })),
    all: url('/actions'),
    settings: url('/settings/notifications'),
    unsubscribe: url(`/unsubscribe?token=${createUnsubscribeToken(secrets, input)}`),
  })
}
