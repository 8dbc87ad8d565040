import { and, asc, eq, inArray, lte } from 'drizzle-orm'
import { z } from 'zod'
import type { AudienceMember } from '#identity'
import type { Database } from '#lib/db.ts'
import { Id } from '#lib/ids.ts'
import { job, type JobDependencies } from '#lib/job.ts'
import { publicUrlOfJob } from '#lib/public-url.ts'
import { notificationsLetter } from '#views/emails/notifications.tsx'
import { visibleTo } from '../../actions/visible.ts'
import { notificationDeliveries, notifications } from '../../schema.ts'
import { actorOfMember, readAudience } from '../audience.ts'
import { resolvedBefore, settleDeliveries } from '../claim.ts'
import { kindOf } from '../kinds.ts'
import { countDelivery } from '../metrics.ts'
import { findPreferences, type Owner, type PreferencesRow } from '../preferences/row.ts'
import { createUnsubscribeToken } from './unsubscribe-token.ts'

const maxItems = 100

type Row = typeof notifications.$inferSelect
interface Due {
  id: string
  notification: Row
}

interface Recipient {
  member: AudienceMember
  organization: { name: string }
  visible: ReadonlySet<string>
  preferences: PreferencesRow
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
    const recipient = await findRecipient(call, due)
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

/** What they can see now: a role may have changed since it was decided. Null for a person who left. */
async function findRecipient(call: Work, due: Listed): Promise<Recipient | null> {
  const { organizationId, personId } = call.input
  const { organization, members } = await readAudience(call, organizationId, [personId])
  const [member] = members
  if (!organization || !member) return null
  const { db } = call.database
  const visible = await visibleTo({ identity: call.identity, actor: actorOfMember(member, organization) })
  const ids = due.map(({ notificationId }) => notificationId)
  const seen = await db
    .select({ id: notifications.id })
    .from(notifications)
    .where(and(inArray(notifications.id, ids), visible))
  const preferences = await findPreferences(db, { organizationId, personId })
  return { member, organization, visible: new Set(seen.map(({ id }) => id)), preferences }
}

const isEmailed = ({ notificationKinds }: Work, { visible, preferences }: Recipient, { id, kind }: Row): boolean =>
  visible.has(id) && (preferences.email || (kindOf(notificationKinds, kind).locked?.includes('email') ?? false))

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
