import { and, eq, gt, isNull, lte, sql } from 'drizzle-orm'
import type { Config } from '#config'
import type { DatabaseHandle } from '#lib/db.ts'
import type { Mail } from '#lib/mail.ts'
import { publicUrlOfJob } from '#lib/public-url.ts'
import { keyEndsLetter } from '#views/emails/key-ends.tsx'
import { endExpiries, raiseExpiry } from './expiry-action.ts'
import { apiKeys, memberships, organizations, users } from '../../schema.ts'

const day = 24 * 60 * 60 * 1000
const leadDays = 7

interface ReminderContext {
  database: DatabaseHandle
  mail: Mail
  config: Config
  now: () => Date
}

/** Once per key, within 7 days of its expiry; never for lifetimes below two weeks and replaced keys. */
export async function remindOfExpiringKeys({ database, mail, config, now }: ReminderContext): Promise<void> {
  const at = now()
  const href = publicUrlOfJob('/settings/keys', config)
  await database.transaction(async (tx) => {
    const expiring = await tx
      .update(apiKeys)
      .set({ remindedAt: at })
      .from(users)
      .innerJoin(memberships, eq(memberships.userId, users.id))
      .innerJoin(organizations, eq(organizations.id, memberships.organizationId))
      .where(
        and(
          eq(users.id, apiKeys.createdBy),
          eq(organizations.id, apiKeys.organizationId),
          isNull(apiKeys.remindedAt),
          isNull(apiKeys.revokedAt),
          isNull(apiKeys.overlapEndsAt),
          gt(apiKeys.expiresAt, at),
          lte(apiKeys.expiresAt, new Date(at.getTime() + leadDays * day)),
          sql`${apiKeys.expiresAt} - ${apiKeys.createdAt} > interval '14 days'`,
        ),
      )
      .returning({
        id: apiKeys.id,
        organizationId: apiKeys.organizationId,
        lastFour: apiKeys.lastFour,
        name: apiKeys.name,
        expiresAt: apiKeys.expiresAt,
        email: users.email,
        organization: organizations.name,
      })
    for (const { email, organization, expiresAt, ...key } of expiring) {
      if (!expiresAt) continue
      await mail.send(tx, email, keyEndsLetter({ name: key.name, organization, expiresAt, href }), at)
      await raiseExpiry(tx, { ...key, expiresAt })
    }
    await endExpiries(tx, at)
  })
}
