import { and, eq, gt, isNull, lte } from 'drizzle-orm'
import type { DatabaseHandle } from '#lib/db.ts'
import type { Provided } from '#lib/call.ts'
import { publicUrlOfJob } from '#lib/public-url.ts'
import type { Clock } from '#lib/time.ts'
import { accountDeletions, suspensions, users } from '../schema.ts'
import { mailPerson, mailOwners } from './notices.ts'

type ReminderContext = Pick<Provided, 'config' | 'mail'> & { readonly database: DatabaseHandle; readonly now: Clock }

const day = 24 * 60 * 60 * 1000
/** How long before a deletion becomes final the reminder is sent, once. */
const leadMs = 7 * day

export async function remindOfDueDeletions({ database, config, mail, now }: ReminderContext): Promise<void> {
  const at = now()
  const soon = new Date(at.getTime() + leadMs)
  const linkTo = (path: string) => publicUrlOfJob(path, config)
  await database.transaction(async (tx) => {
    const rows = await tx
      .update(suspensions)
      .set({ remindedAt: at })
      .where(
        and(
          isNull(suspensions.liftedAt),
          isNull(suspensions.remindedAt),
          lte(suspensions.deletesAt, soon),
          gt(suspensions.deletesAt, at),
        ),
      )
      .returning({ id: suspensions.organizationId, deletesAt: suspensions.deletesAt })
    for (const { id, deletesAt } of rows)
      if (deletesAt) await mailOwners({ mail, now, linkTo }, tx, id, { happened: 'soon', deletesAt })
  })
  await database.transaction(async (tx) => {
    const rows = await tx
      .update(accountDeletions)
      .set({ remindedAt: at })
      .from(users)
      .where(
        and(
          eq(users.id, accountDeletions.userId),
          isNull(accountDeletions.remindedAt),
          lte(accountDeletions.deletesAt, soon),
          gt(accountDeletions.deletesAt, at),
        ),
      )
      .returning({ id: users.id, email: users.email, deletesAt: accountDeletions.deletesAt })
    for (const { deletesAt, ...person } of rows)
      await mailPerson({ mail, now, linkTo }, tx, person, { happened: 'soon', deletesAt })
  })
}
