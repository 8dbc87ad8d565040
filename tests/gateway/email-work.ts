import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { sendEmail } from '../../src/gateway/email/jobs.ts'
import type { World } from '../support/world.ts'

const Due = z.object({ id: z.string(), organization_id: z.string().nullable() })

/** Runs the jobs of queued emails, as if their next attempts were due. */
export async function sendQueued(world: World): Promise<void> {
  const rows = await world.database.db.execute(
    sql`SELECT id, organization_id FROM gateway.email_messages WHERE state = 'queued' ORDER BY id`,
  )
  for (const row of rows) {
    const { id, organization_id: organizationId } = Due.parse(row)
    const input = { id, tenant: organizationId ?? 'platform' }
    await sendEmail.run({ ...world.provided, database: world.database, now: () => new Date(), input })
  }
}

/** Creates a sender domain of Ada and a sender of it, without DNS. */
export async function addSender(world: World, domain: string, kind = 'smtp') {
  const { ada, database } = world
  const { id: domainId } = await ada.fetchJson<{ id: string }>('POST /api/sender-domains', { domain, kind }, 201)
  await database.db.execute(sql`UPDATE gateway.sender_domains SET verified_at = now() WHERE id = ${domainId}`)
  const draft = { address: `hello@${domain}`, name: 'Acme Coffee' }
  const { id } = await ada.fetchJson<{ id: string }>('POST /api/senders', draft, 201)
  return { id, domainId }
}
