import { and, asc, eq, ne } from 'drizzle-orm'
import type { Config } from '#config'
import type { Actor } from '#lib/actor.ts'
import { recordChange } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import { conflict, notFound } from '#lib/errors.ts'
import { personOf } from '../../accounts/caller.ts'
import { sendNotices } from '../../accounts/security-notices.ts'
import { upstreamIdentities, users } from '../../schema.ts'
import { listSsoProviders } from '../../organizations/sso/sso.ts'
import type { SignInProvider } from './contract.ts'
import { configuredProviders, offeredProviders } from './providers.ts'

type ActorContext = Pick<Call<unknown, Actor>, 'db' | 'actor' | 'config'>

/** Oldest first. */
export async function listIdentities({ db, actor, config }: ActorContext) {
  const rows = await db
    .select()
    .from(upstreamIdentities)
    .where(eq(upstreamIdentities.userId, personOf(actor)))
    .orderBy(asc(upstreamIdentities.id))
  return rows.map((row) => ({ ...row, name: nameOf(config, row) }))
}

export async function listConnectable(call: ActorContext): Promise<SignInProvider[]> {
  const [own, connected] = await Promise.all([listSsoProviders(call), listIdentities(call)])
  const isConnected = ({ id }: SignInProvider) => connected.some(({ provider }) => provider === id)
  return [...offeredProviders(call.config), ...own].filter((each) => !isConnected(each))
}

export const nameOf = (config: Config, { provider, issuer }: { provider: string; issuer: string }): string =>
  configuredProviders(config).find(({ id }) => id === provider)?.name ?? new URL(issuer).host

/** Emails the person. @throws 404; 409 when it is the last sign-in method */
export async function disconnect(call: Call<unknown, Actor>, id: string): Promise<void> {
  const { db, actor, config } = call
  const userId = personOf(actor)
  // Of two concurrent removals, the second must see that the first is gone.
  const [user] = await db.select().from(users).where(eq(users.id, userId)).for('update')
  const ofUser = eq(upstreamIdentities.userId, userId)
  const others = await db.$count(upstreamIdentities, and(ofUser, ne(upstreamIdentities.id, id)))
  const [gone] = await db
    .delete(upstreamIdentities)
    .where(and(ofUser, eq(upstreamIdentities.id, id)))
    .returning()
  if (!gone) throw notFound('sign-in identity')
  if (!user || (!user.passwordHash && others === 0))
    throw conflict(
      'last_sign_in_method',
      'This is your only sign-in method. Set a password or connect another provider first.',
    )
  recordChange(db, { object: 'connected_identity', id, organizationId: null })
  await sendNotices(call, db, user, [`${nameOf(config, gone)} can no longer sign in to your Atrium account.`])
}
