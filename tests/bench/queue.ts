import { z } from 'zod'
import type { Provided } from '#lib/call.ts'
import { openDatabase } from '#lib/db.ts'
import { job } from '#lib/job.ts'
import { createLog } from '#lib/log.ts'
import { createMail, sendMail } from '#lib/mail.ts'
import { openQueue } from '#lib/queue.ts'
import { createSecrets } from '#lib/secrets.ts'
import { eventually } from '../boot/program.ts'
import { freshDatabase } from '../support/database.ts'
import { startMailServer } from '../support/mail-server.ts'

// Measures how many jobs of one queue a server runs per second while one of them hangs, compared to bare statements on
// the same database; and how many mails it sends per second to a mail server on loopback with TLS and authentication.

const [jobs, mails] = [1_000, 300]
const bounds = { jobsSeconds: 10, mailsPerSecond: 50 }

const fresh = await freshDatabase()
const server = await startMailServer()
const database = openDatabase(fresh.url, 4)
const log = createLog('error')
const queue = await openQueue(database, log)
const config = { SMTP_URL: server.url, MAIL_FROM: 'Atrium <hello@atrium.example>' }
const mail = createMail({ config, secrets: createSecrets(new Uint8Array(32).fill(7)), queue, log })

const end = Promise.withResolvers<undefined>()
let done = 0
const quick = job({
  name: 'bench.quick',
  input: z.object({ hangs: z.boolean() }),
  concurrency: 4,
  run: async ({ input: { hangs } }) => {
    if (hangs) await end.promise
    else done += 1
  },
})

const statements = await perSecond(jobs, async () => {
  for (let at = 0; at < jobs; at++) await database.sql`SELECT 1`
})
await queue.enqueue(database.db, quick, { hangs: true })
await database.transaction(async (db) => {
  for (let at = 0; at < jobs; at++) await queue.enqueue(db, quick, { hangs: false })
})
const jobsPerSecond = await perSecond(jobs, async () => {
  await queue.work([quick], {} as never, () => new Date())
  await eventually(() => done === jobs, 60_000)
})
end.resolve(undefined)

await database.transaction(async (db) => {
  const letter = { subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' }
  for (let at = 0; at < mails; at++) await mail.send(db, `ada-${at}@example.com`, letter, new Date())
})
const mailsPerSecond = await perSecond(mails, async () => {
  await queue.work([sendMail], { mail } as Provided, () => new Date())
  await eventually(() => server.arrived.length === mails, 60_000)
})

const seconds = jobs / jobsPerSecond
console.log(
  `${jobs} quick jobs beside one that hangs: ${seconds.toFixed(1)} s (at most ${bounds.jobsSeconds}), ${jobsPerSecond.toFixed(0)}/s, ${(jobsPerSecond / statements).toFixed(3)} of bare statements`,
)
console.log(
  `mails: ${mailsPerSecond.toFixed(0)}/s (at least ${bounds.mailsPerSecond}), ${(mailsPerSecond / jobsPerSecond).toFixed(2)} of quick jobs`,
)
await queue.stop(1_000)
await server.stop()
await database.close()
await fresh.drop()
process.exit(seconds <= bounds.jobsSeconds && mailsPerSecond >= bounds.mailsPerSecond ? 0 : 1)

/** Of `count` jobs, the number done per second. */
async function perSecond(count: number, act: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await act()
  return count / ((performance.now() - started) / 1_000)
}
