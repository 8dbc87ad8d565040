import { and, eq } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import type { ActionButton } from '#lib/schema.ts'
import type { ReadinessReason } from '../contract.ts'
import { unreadyPostKind } from '../notification-kinds.ts'
import { formatUtc } from '../publishing/rate-windows.ts'
import { readReadiness, type ReadyPost } from '../readiness/read.ts'
import { postChecks, posts } from '../schema.ts'
import { excerptOf } from './failed-post.ts'
import type { Subject, WantedAction } from './subject.ts'

const maxRead = 500

type Facts = ReadyPost['facts']
type Unready = { facts: Facts; reason: ReadinessReason }

/** Scheduled posts that won’t be published, by cause. Those of a signed-out account are part of that account’s action. */
export async function listUnreadyActions(tx: Database, subject: Subject, now: Date): Promise<WantedAction[]> {
  const { brandId, provider } = subject
  const stored = await tx
    .select({ id: postChecks.postId })
    .from(postChecks)
    .innerJoin(posts, eq(posts.id, postChecks.postId))
    .where(and(eq(postChecks.brandId, brandId), eq(postChecks.provider, provider), eq(postChecks.state, 'problem')))
    // The same ones each time, or actions of the others would be resolved and raised again.
    .orderBy(posts.scheduledAt, posts.id)
    .limit(maxRead)
  const found = await readReadiness(
    tx,
    stored.map(({ id }) => id),
    now,
  )
  const unready = [...found.values()].flatMap(({ facts, readiness: { reasons } }) => {
    const [reason] = reasons
    return reason?.state === 'problem' && isRaised(reason, facts) ? [{ facts, reason }] : []
  })
  const soonest = unready.toSorted((one, other) => Number(one.facts.scheduledAt) - Number(other.facts.scheduledAt))
  const byCause = Map.groupBy(
    soonest,
    ({ facts, reason }) => `${reason.code}:${(reason.href && facts.account?.id) ?? ''}`,
  )
  return [...byCause].flatMap(([cause, same]) => actionOf(subject, cause, same))
}

/** A pause is deliberate: it raises an action only an hour before the post is due. */
const isRaised = ({ code }: ReadinessReason, { scheduledAt, checkedFor }: Facts): boolean =>
  code !== 'signed_out' && (code !== 'paused' || checkedFor?.getTime() === scheduledAt.getTime())

function actionOf(subject: Subject, cause: string, same: readonly Unready[]): WantedAction[] {
  const { brandId, brandName, network } = subject
  const [first] = same
  if (!first) return []
  const { facts, reason } = first
  const isOne = same.length === 1
  const due = `due on ${formatUtc(facts.scheduledAt)}`
  return [
    {
      kind: unreadyPostKind,
      key: `unready:${cause}`,
      title: isOne
        ? `A scheduled post to ${network} won’t be published`
        : `${same.length} scheduled posts to ${network} won’t be published`,
      reason: [
        isOne
          ? `${excerptOf(facts)} of ${brandName} is ${due}.`
          : `${excerptOf(facts)} of ${brandName}, ${due}, and ${same.length - 1} more.`,
        reason.message,
      ].join(' '),
      href: isOne ? `/workspace/posts/${facts.id}` : `/workspace/posts?brandId=${brandId}&status=scheduled`,
      actions: buttonsOf(subject, first, isOne),
    },
  ]
}

function buttonsOf({ brandId }: Subject, { facts, reason }: Unready, isOne: boolean): ActionButton[] {
  const { id, account, pause } = facts
  const post = { label: 'See the post', method: 'GET', href: `/workspace/posts/${id}` } as const
  const list = {
    label: 'See the posts',
    method: 'GET',
    href: `/workspace/posts?brandId=${brandId}&status=scheduled`,
  } as const
  const seeing: ActionButton[] = [isOne ? post : list]
  if (reason.code === 'paused' && pause)
    return [
      {
        label: 'Resume',
        method: 'POST',
        href: '/api/publishing/resume',
        body: scopeOf(facts, pause),
        style: 'primary',
      },
      ...seeing,
    ]
  if (!reason.href) return [{ ...(isOne ? post : list), style: 'primary' }]
  const isEdit = reason.href.endsWith('/edit')
  const label = isEdit ? 'Edit' : account ? 'See the account' : 'Connect an account'
  return [{ label, method: 'GET', href: reason.href, style: 'primary' }, ...seeing]
}

function scopeOf({ brandId, account }: Facts, pause: NonNullable<Facts['pause']>): Record<string, string> {
  if (pause === 'account' && account) return { connectionId: account.id }
  return pause === 'brand' ? { brandId } : {}
}
