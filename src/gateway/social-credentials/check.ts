import { eq } from 'drizzle-orm'
import type { Call } from '#lib/call.ts'
import { forEachSettled } from '#lib/each.ts'
import { Problem } from '#lib/errors.ts'
import { socialApps } from '../schema.ts'
import { listForCheck } from './apps.ts'
import { isAccepted } from './mastodon.ts'

/** Servers that are asked in one check, least recently checked first, and at a time. */
const limits = { servers: 50, concurrency: 5 }

/** Asks each server for a token of our app there, which changes nothing, and stores the result. */
export async function checkRegisteredApps(call: Call): Promise<void> {
  const apps = await listForCheck(call, limits.servers)
  await forEachSettled(
    apps,
    async (app) => {
      const error = await isAccepted(call, app.host, app).then(
        (accepted) => (accepted ? null : `${new URL(app.host).host} rejected our registration.`),
        (cause: unknown) => {
          if (cause instanceof Problem) return cause.message
          throw cause
        },
      )
      await call.db
        .update(socialApps)
        .set({ health: error === null ? 'healthy' : 'unhealthy', lastError: error, checkedAt: call.now() })
        .where(eq(socialApps.id, app.id))
    },
    limits.concurrency,
  )
}
