import { createOutbound } from '#lib/outbound.ts'
import { newId } from '#lib/ids.ts'
import { takeAction } from '../../../src/dashboard/actions/take.ts'
import { announceNotifications } from '../../../src/dashboard/delivery/announce/announce.job.ts'
import { postToChat } from '../../../src/dashboard/delivery/chat/post.job.ts'
import { sendEmail } from '../../../src/dashboard/delivery/email/email.job.ts'
import { sendPush } from '../../../src/dashboard/delivery/push/push.job.ts'
import { openWorld, type World } from '../../support/world.ts'

export interface Delivery {
  id: string
  channel: string
  state: string
  problem: string | null
  due_at: Date
  attempts: number
  target_id: string
  person_id: string | null
}

/** The world with a clock that tests set, where notifications are told of without waiting. */
export async function openOffice() {
  const world: World = await openWorld()
  const { sql } = world.database
  let clock: Date | null = null
  const now = () => clock ?? new Date()
  const work = () => ({
    ...world.provided,
    outbound: createOutbound({ allowPrivate: true }),
    // Jobs are run by the tests.
    queue: { ...world.provided.queue, enqueue: async () => {} },
    database: world.database,
    now,
  })
  const organizationId = world.ada.things.organizations
  const take = async (cause: string, changes: object = {}) => {
    const notice = {
      id: newId(),
      organizationId,
      surface: 'action' as const,
      service: 'platform-pay',
      kind: 'payments.dispute',
      permission: 'payments:read',
      resourceKind: null,
      resourceId: null,
      personId: null,
      cause,
      title: cause,
      reason: 'A customer disputes a payment.',
      href: '/pay/orders',
      actions: [],
      dueAt: null,
      raisedAt: now(),
      resolvedAt: null,
      version: 1,
      ...changes,
    }
    await takeAction(work(), notice)
    return notice
  }
  const deliveries = (notificationId?: string): Promise<Delivery[]> =>
    sql<Delivery[]>`SELECT * FROM dashboard.notification_deliveries
      WHERE ${notificationId === undefined ? sql`true` : sql`notification_id = ${notificationId}`} ORDER BY due_at, id`
  const announce = () => announceNotifications.run({ ...work(), input: { organizationId } })
  const sendDue = async () => {
    const due = await sql<Pick<Delivery, 'channel' | 'target_id' | 'person_id'>[]>`
      SELECT DISTINCT channel, target_id, person_id FROM dashboard.notification_deliveries
      WHERE state = 'waiting' AND due_at <= ${now()}`
    for (const { channel, target_id: id, person_id: personId } of due) {
      if (channel === 'email') await sendEmail.run({ ...work(), input: { organizationId, personId: id } })
      if (channel === 'push') await sendPush.run({ ...work(), input: { subscriptionId: id, personId: personId ?? id } })
      if (channel === 'chat') await postToChat.run({ ...work(), input: { organizationId, webhookId: id } })
    }
  }
  const clear = async () => {
    clock = null
    await sql`DELETE FROM dashboard.notifications`
    await sql`DELETE FROM dashboard.notification_preferences`
    await sql`DELETE FROM dashboard.push_subscriptions`
    await sql`DELETE FROM dashboard.chat_webhooks`
    await sql`DELETE FROM platform.mails`
  }
  await clear()
  return {
    world,
    organizationId,
    work,
    take,
    announce,
    sendDue,
    deliveries,
    setClock: (at: string | null) => void (clock = at === null ? null : new Date(at)),
    mailsTo: async (email: string) =>
      (await world.letters(email)).filter(({ text }) => text.includes('/unsubscribe?token=')),
    clear,
    close: () => world.close(),
  }
}

export type Office = Awaited<ReturnType<typeof openOffice>>
