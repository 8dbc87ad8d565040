import { and, asc, eq, lt, ne } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import type { ActionButton } from '#lib/schema.ts'
import { counted } from '#lib/text.ts'
import { needsSignIn } from '../accounts/needs-sign-in.ts'
import { accountEndingKind, accountEndsTomorrowKind, accountKind } from '../notification-kinds.ts'
import { formatUtc } from '../publishing/rate-windows.ts'
import { connections, posts } from '../schema.ts'
import { failedPostsOf, type Subject, type WantedAction } from './subject.ts'

type Account = Pick<typeof connections.$inferSelect, 'id' | 'name' | 'provider' | 'health' | 'active'>

/** Active accounts that the network signed out. */
export async function listAccountActions(tx: Database, subject: Subject): Promise<WantedAction[]> {
  const { brandId, provider } = subject
  const accounts = await tx
    .select({
      id: connections.id,
      name: connections.name,
      provider: connections.provider,
      health: connections.health,
      active: connections.active,
    })
    .from(connections)
    .where(
      and(
        eq(connections.brandId, brandId),
        eq(connections.provider, provider),
        eq(connections.active, true),
        ne(connections.health, 'ok'),
      ),
    )
    .orderBy(asc(connections.id))
  if (accounts.length === 0) return []
  const failed = await countSignedOut(tx, subject)
  return accounts.map((account) => actionOf(subject, account, failed))
}

const countSignedOut = (tx: Database, { brandId, provider }: Subject): Promise<number> =>
  tx.$count(
    posts,
    and(
      eq(posts.brandId, brandId),
      eq(posts.provider, provider),
      eq(posts.status, 'failed'),
      eq(posts.failureCode, 'signed_out'),
    ),
  )

function actionOf(subject: Subject, account: Account, failed: number): WantedAction {
  const { brandName, network } = subject
  const { id, name } = account
  const href = `/workspace/accounts/${id}`
  return {
    kind: accountKind,
    key: `account:${id}`,
    title: `Reconnect ${name} on ${network}`,
    reason: [
      `${network} signed this account of ${brandName} out, most likely because its password was changed.`,
      failed === 0 ? 'Posts to it fail until it is connected again.' : `${counted(failed, 'post')} failed since.`,
    ].join(' '),
    href,
    actions: [
      reconnectButton(account, href),
      {
        label: 'Deactivate',
        method: 'POST',
        href: `/api/accounts/${id}/deactivate`,
        confirm: `Deactivate ${name}? Nothing is published to it until it is connected again.`,
      },
      ...(failed === 0 ? [] : [{ label: 'See failed posts', method: 'GET' as const, href: failedPostsOf(subject) }]),
    ],
  }
}

/** Most networks want the person to sign in on a page. */
const reconnectButton = (account: Account, href: string): ActionButton => ({
  label: 'Reconnect',
  ...(needsSignIn(account)
    ? { method: 'GET', href }
    : { method: 'POST', href: `/api/accounts/${account.id}/reconnect` }),
  style: 'primary',
})

const day = 24 * 3_600_000
/** How long before its end a sign-in that can’t be renewed raises an action, and an urgent one. */
export const endingMs = { first: 7 * day, urgent: day }

/** Active accounts whose sign-in ends soon; connecting them again gives them a new one. */
export async function listEndingActions(tx: Database, subject: Subject, now: Date): Promise<WantedAction[]> {
  const { brandId, brandName, network, provider } = subject
  const accounts = await tx
    .select({ id: connections.id, name: connections.name, endsAt: connections.signInEndsAt })
    .from(connections)
    .where(
      and(
        eq(connections.brandId, brandId),
        eq(connections.provider, provider),
        eq(connections.active, true),
        eq(connections.health, 'ok'),
        lt(connections.signInEndsAt, new Date(now.getTime() + endingMs.first)),
      ),
    )
    .orderBy(asc(connections.id))
  return accounts.flatMap(({ id, name, endsAt }) => {
    if (!endsAt) return []
    const hasEnded = endsAt.getTime() <= now.getTime()
    const isUrgent = endsAt.getTime() <= now.getTime() + endingMs.urgent
    const href = `/workspace/accounts/${id}`
    return [
      {
        kind: isUrgent ? accountEndsTomorrowKind : accountEndingKind,
        // Another cause, so that it is raised again.
        key: `${isUrgent ? 'ends' : 'ending'}:${id}`,
        title: `The sign-in of ${name} on ${network} ${hasEnded ? 'has ended' : 'ends soon'}`,
        reason: hasEnded
          ? `It ended on ${formatUtc(endsAt)} and can’t be renewed. Connect this account of ${brandName} again: posts to it fail.`
          : `It ends on ${formatUtc(endsAt)} and can’t be renewed. Connect this account of ${brandName} again: posts to it fail from then on.`,
        href,
        actions: [
          {
            label: 'Connect again',
            method: 'GET',
            href: `/workspace/accounts?brandId=${brandId}`,
            style: 'primary',
          },
          { label: 'See the account', method: 'GET', href },
        ],
      },
    ]
  })
}
