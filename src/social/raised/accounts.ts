import { and, asc, eq, ne } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import type { ActionButton } from '#lib/schema.ts'
import { counted } from '#lib/text.ts'
import { needsSignIn } from '../accounts/needs-sign-in.ts'
import { accountKind } from '../notification-kinds.ts'
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
