import { and, eq, gt, isNull, lte } from 'drizzle-orm'
import { z } from 'zod'
import { job } from '#lib/job.ts'
import { publicUrlOfJob } from '#lib/public-url.ts'
import { demoBookings, inquiries } from '../../schema.ts'
import { demoLetterOf } from './letters.ts'

const dayMs = 24 * 60 * 60_000
const batch = 100

/** The day before, once. */
export const remindOfDemos = job({
  name: 'dashboard.remind-of-demos',
  input: z.object({}),
  run: async (work) => {
    const { database, mail, now, config } = work
    const at = now()
    const isDue = and(
      eq(demoBookings.state, 'booked'),
      isNull(demoBookings.remindedAt),
      gt(demoBookings.startsAt, at),
      lte(demoBookings.startsAt, new Date(at.getTime() + dayMs)),
    )
    const due = await database.db.select({ id: demoBookings.id }).from(demoBookings).where(isDue).limit(batch)
    for (const { id } of due) {
      await database.transaction(async (tx) => {
        const claimed = and(eq(demoBookings.id, id), isDue)
        const [booked] = await tx.update(demoBookings).set({ remindedAt: at }).where(claimed).returning()
        const [visitor] = await tx.select().from(inquiries).where(eq(inquiries.id, id))
        if (!booked || !visitor?.email) return
        const { name, email } = visitor
        const letter = demoLetterOf(work, 'reminder', { ...booked, name: name ?? '', email }, (path) =>
          publicUrlOfJob(path, config),
        )
        await mail.send(tx, email, letter, at)
      })
    }
  },
})
