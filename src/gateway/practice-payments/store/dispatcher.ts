import { asc, eq, lte, sql } from 'drizzle-orm'
import { transact, type Database } from '#lib/db.ts'
import { paymentDeliveries, paymentTasks } from '../schema.ts'
import { sendWebhook } from './webhook.ts'

/** Sends due webhooks, and runs due tasks. */
export interface Dispatcher {
  /** After a change: there may be something to do now. */
  wake(): void
  stop(): Promise<void>
}

type RunTask = (db: Database, task: { account: string; kind: string; objectId: string }) => Promise<void>

/** Seconds until the next attempt; after the last one the webhook is abandoned. */
const pauses = [1, 5, 30, 120, 600, 3600]
/** Until another server takes over from one that stopped in the middle. */
const leaseMs = 30_000
const batch = 20
/** Another process can stop before it has sent what it added. */
const maxWaitMs = 30_000

type Delivery = typeof paymentDeliveries.$inferSelect

export function createDispatcher(db: Database, runTask: RunTask, fail: (error: unknown) => void): Dispatcher {
  let timer: Timer | undefined
  let running: Promise<void> | null = null
  let isAwake = false
  let isStopped = false
  const end = new AbortController()

  const wake = () => {
    isAwake = true
    if (isStopped || running) return
    clearTimeout(timer)
    running = work()
      .catch((error: unknown) => {
        if (!isStopped) fail(error)
      })
      .finally(() => {
        running = null
        if (isAwake) wake()
      })
  }

  async function work(): Promise<void> {
    while (isAwake && !isStopped) {
      isAwake = false
      const tasks = await takeTasks(db, runTask)
      const deliveries = await leaseDeliveries(db)
      await Promise.all(deliveries.map((delivery) => attempt(db, delivery, end.signal)))
      if (tasks > 0 || deliveries.length > 0) isAwake = true
    }
    await sleepUntilDue()
  }

  async function sleepUntilDue(): Promise<void> {
    const [row] = await db.execute(sql`SELECT extract(epoch FROM least(
      (SELECT min(${paymentDeliveries.dueAt}) FROM ${paymentDeliveries}),
      (SELECT min(${paymentTasks.dueAt}) FROM ${paymentTasks})) - now()) * 1000 AS wait`)
    if (isStopped) return
    const wait = Number(row?.['wait'] ?? maxWaitMs)
    timer = setTimeout(wake, Math.min(Math.max(Math.ceil(wait), 5), maxWaitMs))
    timer.unref()
  }

  return {
    wake,
    stop: async () => {
      isStopped = true
      clearTimeout(timer)
      end.abort()
      await running
    },
  }
}

/** Each in its own transaction, which deletes it: a task runs once, on the first server that finds it. */
async function takeTasks(db: Database, runTask: RunTask): Promise<number> {
  for (let count = 0; ; count++) {
    const isDone = await transact(db, async (tx) => {
      const [task] = await tx
        .select()
        .from(paymentTasks)
        .where(lte(paymentTasks.dueAt, sql`now()`))
        .orderBy(asc(paymentTasks.dueAt))
        .limit(1)
        .for('update', { skipLocked: true })
      if (!task) return true
      await tx.delete(paymentTasks).where(eq(paymentTasks.id, task.id))
      await runTask(tx, task)
      return false
    })
    if (isDone) return count
  }
}

async function leaseDeliveries(db: Database): Promise<Delivery[]> {
  const due = db
    .select({ id: paymentDeliveries.id })
    .from(paymentDeliveries)
    .where(lte(paymentDeliveries.dueAt, sql`now()`))
    .orderBy(asc(paymentDeliveries.dueAt), asc(paymentDeliveries.id))
    .limit(batch)
    .for('update', { skipLocked: true })
  return db
    .update(paymentDeliveries)
    .set({ dueAt: new Date(Date.now() + leaseMs), attempts: sql`${paymentDeliveries.attempts} + 1` })
    .where(sql`${paymentDeliveries.id} IN ${due}`)
    .returning()
}

async function attempt(db: Database, delivery: Delivery, signal: AbortSignal): Promise<void> {
  const isSent = await sendWebhook(db, delivery, signal)
  const pause = pauses[delivery.attempts - 1]
  const own = eq(paymentDeliveries.id, delivery.id)
  if (isSent || pause === undefined) await db.delete(paymentDeliveries).where(own)
  else
    await db
      .update(paymentDeliveries)
      .set({ dueAt: new Date(Date.now() + pause * 1000) })
      .where(own)
}
