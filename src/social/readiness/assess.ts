import type { z } from 'zod'
import type { Readiness, ReadinessReason } from '../contract.ts'
import { describeMediaErrors } from '../media/in-posts.ts'
import type { MediaRow } from '../media/files.ts'
import { networkOf } from '../networks/index.ts'
import {
  commentsOf,
  describeCommentProblem,
  describeExcessLength,
  describeReplyProblem,
  findVideoErrors,
  limitsOf,
} from '../networks/limits.ts'
import { describeLinkProblem } from '../networks/link-previews.ts'
import type { Network } from '../networks/network.ts'
import { chosenPlaceOf } from '../networks/places.ts'
import { formatUtc, maxWaitMs } from '../publishing/rate-windows.ts'
import type { ReviewStatus } from '../review/review-status.ts'
import type { PostFacts } from './facts.ts'
import type { ExceededQuota } from './planned.ts'

export interface Known {
  media: ReadonlyMap<string, MediaRow>
  /** Until when the rate limits of its account keep it waiting; null when they don’t. */
  opensAt: Date | null
  /** A quota of its network that it exceeds with the posts planned before it. */
  exceeded: ExceededQuota | null
  now: Date
  /** What its review lacks; null when it can go out. */
  unapproved: ReviewStatus | null
}

const hour = 3_600_000
/** How long after its time the sign-in should still last: a post can wait. */
const marginMs = 24 * hour

/** As operations return it. */
export type Assessment = z.input<typeof Readiness>

type Account = NonNullable<PostFacts['account']>
type Reasons = ReadinessReason[]

/** Everything that publishing would find out about the post, before it is due (SOC-15). */
export function assess(facts: PostFacts, known: Known): Assessment {
  const network = networkOf(facts.provider)
  const reasons = network
    ? [...approvalReasons(known), ...accountReasons(facts, network, known), ...contentReasons(facts, network, known)]
    : []
  reasons.sort((one, other) => Number(other.state === 'problem') - Number(one.state === 'problem'))
  return { state: reasons[0]?.state ?? 'ready', reasons, checkedAt: facts.checkedAt }
}

const reason = (
  state: ReadinessReason['state'],
  code: string,
  message: string,
  href: string | null = null,
): ReadinessReason => ({ state, code, message, href })

const approvalReasons = ({ unapproved }: Known): Reasons =>
  unapproved ? [reason('problem', 'approval_required', describeUnapproved(unapproved))] : []

function describeUnapproved({ missing, state }: ReviewStatus): string {
  if (state === 'changes_requested') return 'A reviewer requested changes to it. It waits until it is approved.'
  return `It waits for ${missing === 1 ? 'an approval' : `${missing} approvals`}, and won’t be published without.`
}

function accountReasons(facts: PostFacts, network: Network, known: Known): Reasons {
  const { account, brandId } = facts
  const accounts = `/workspace/accounts?brandId=${brandId}`
  if (!account)
    return [
      reason(
        'problem',
        'connection_missing',
        `No active ${network.name} account can publish this post. Connect one.`,
        accounts,
      ),
    ]
  const page = `/workspace/accounts/${account.id}`
  if (!account.works)
    return [reason('problem', 'signed_out', `${network.name} signed ${account.name} out. Reconnect the account.`, page)]
  return [
    ...pauseReasons(facts, account),
    ...permissionReasons(facts, network, account),
    ...commentReasons(facts, network, account),
    ...placeReasons(facts, network, account),
    ...tokenReasons(facts, network, account),
    ...quotaReasons(facts, network, known),
    ...versionReasons(facts, network, known),
  ]
}

function pauseReasons({ pause, brandId }: PostFacts, { id }: Account): Reasons {
  if (!pause) return []
  const what = { organization: 'the organization', brand: 'the brand', account: 'the account' }[pause]
  const href = pause === 'account' ? `/workspace/accounts/${id}` : `/workspace/accounts?brandId=${brandId}`
  return [reason('problem', 'paused', `Publishing is paused for ${what}. The post waits until it is resumed.`, href)]
}

function permissionReasons({ accountCheck }: PostFacts, network: Network, account: Account): Reasons {
  const href = `/workspace/accounts/${account.id}`
  const missing = network.scopes?.filter((scope) => !account.scopes.includes(scope)) ?? []
  if (accountCheck?.problem) {
    const { code, message } = accountCheck.problem
    return [reason('problem', code, message, href)]
  }
  // Accounts of the first releases have no list.
  if (account.scopes.length === 0 || missing.length === 0) return []
  const message = `${network.name} didn’t give Atrium the permission ${missing.join(', ')}. Connect the account again and allow everything.`
  return [reason('problem', 'permission_missing', message, href)]
}

/** The post is published all the same. */
function commentReasons(facts: PostFacts, network: Network, account: Account): Reasons {
  const { firstComment, target } = facts
  if (!firstComment) return []
  const problem = describeCommentProblem(network, facts, limitsOf(network, account.metadata))
  if (problem)
    return [
      reason(
        'warning',
        'comment_refused',
        `Its first comment will fail. ${problem}`,
        `/workspace/posts/${facts.id}/edit`,
      ),
    ]
  if (commentsOf(network, { ...account, target }) === 'allowed') return []
  const message = `Atrium can’t write first comments as ${account.name}. Reconnect the account with first comments.`
  return [reason('warning', 'comment_permission_missing', message, `/workspace/accounts/${account.id}`)]
}

/** Of what the network no longer publishes to, such as Groups (SOC-06). */
function placeReasons({ target }: PostFacts, { warningOf }: Network, { metadata }: Account): Reasons {
  const warning = warningOf?.({ ...metadata, ...chosenPlaceOf(target) })
  return warning ? [reason('warning', 'place_withdrawn', warning)] : []
}

function tokenReasons(facts: PostFacts, network: Network, account: Account): Reasons {
  const { accountCheck, scheduledAt } = facts
  const { expiresAt, id, name } = account
  const href = `/workspace/accounts/${id}`
  const left = expiresAt === null ? Infinity : expiresAt.getTime() - scheduledAt.getTime()
  const isRefreshed = accountCheck?.isRefreshable !== false
  const withoutApp = `The app for ${network.name} is no longer set up, so the sign-in of ${name} can’t be refreshed. An operator has to store its credentials again.`
  if (accountCheck?.hasApp === false)
    return [reason(isRefreshed && left > marginMs ? 'warning' : 'problem', 'app_missing', withoutApp, href)]
  if (isRefreshed) return endReasons(facts, network, account)
  if (expiresAt === null || left > marginMs) return []
  const when = formatUtc(expiresAt)
  if (left <= 0)
    return [
      reason(
        'problem',
        'sign_in_expires',
        `The sign-in of ${name} expires on ${when}, before the post is due, and ${network.name} doesn’t let Atrium renew it. Connect the account again.`,
        href,
      ),
    ]
  const message = `The sign-in of ${name} expires on ${when}, soon after the post is due. Connect the account again.`
  return [reason('warning', 'sign_in_expires', message, href)]
}

/** Refresh tokens can have an end of their own. */
function endReasons({ scheduledAt }: PostFacts, network: Network, { signInEndsAt, id, name }: Account): Reasons {
  if (!signInEndsAt || signInEndsAt > scheduledAt) return []
  const message = `The sign-in ends before this post is due: ${network.name} lets Atrium renew that of ${name} until ${formatUtc(signInEndsAt)}. Connect the account again.`
  return [reason('problem', 'sign_in_ends', message, `/workspace/accounts/${id}`)]
}

function quotaReasons(
  { accountCheck, scheduledAt }: PostFacts,
  network: Network,
  { opensAt, exceeded }: Known,
): Reasons {
  const waitMs = opensAt ? opensAt.getTime() - scheduledAt.getTime() : 0
  if (opensAt && waitMs > 0)
    return [
      waitMs > maxWaitMs
        ? reason(
            'problem',
            'rate_limited',
            `${network.name} accepts no posts from this account until ${formatUtc(opensAt)}, more than an hour after this post is due. Schedule it for later.`,
          )
        : reason(
            'warning',
            'rate_limited',
            `${network.name} accepts no posts from this account until ${formatUtc(opensAt)}. This one waits until then.`,
          ),
    ]
  const { quotaLeft = null, quotaTotal = 0, checkedAt } = accountCheck ?? {}
  if (quotaLeft !== 0 || !checkedAt || scheduledAt.getTime() > checkedAt.getTime() + 24 * hour)
    return exceeded ? [reason('warning', 'quota_planned', describeExceeded(network, exceeded))] : []
  const isSoon = scheduledAt.getTime() <= checkedAt.getTime() + hour
  const message = `The account has published ${quotaTotal} posts in 24 hours, as many as ${network.name} allows. Schedule this one for later.`
  return [reason(isSoon ? 'problem' : 'warning', 'quota_used', message)]
}

function describeExceeded({ name }: Network, { quota: { counts, per, window }, total, left, planned }: ExceededQuota) {
  const of = per === 'app' ? ' of all accounts of the app' : ''
  const time =
    'timeZone' in window ? 'a day' : window.hours < 1 ? `in ${window.hours * 60} minutes` : `in ${window.hours} hours`
  const before = planned === 0 ? 'none are' : planned === 1 ? '1 is' : `${planned} are`
  return `${name} takes ${total} ${counts}${of} ${time}: ${left} ${left === 1 ? 'is' : 'are'} left, and ${before} planned before this one. Schedule it for later.`
}

function versionReasons({ scheduledAt }: PostFacts, { name, apiVersion }: Network, { now }: Known): Reasons {
  if (!apiVersion) return []
  const endsAt = new Date(apiVersion.endsOn)
  if (scheduledAt < endsAt) return []
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(endsAt)
  return [
    reason(
      now < endsAt ? 'warning' : 'problem',
      'api_version_ends',
      `${name} supports the version ${apiVersion.name} of its API, which this release uses, until ${day}. An operator has to update Atrium before the post is due.`,
    ),
  ]
}

function contentReasons(facts: PostFacts, network: Network, { media }: Known): Reasons {
  const { account, before, id, media: files, missingFiles, position } = facts
  const limits = limitsOf(network, account?.metadata ?? null)
  const [unfit] = describeMediaErrors(media, { files, network, limits })
  const content =
    describeReplyProblem(network, facts, limits)?.message ??
    describeExcessLength(network, facts.text, limits) ??
    findVideoErrors(network, facts, limits)[0]?.message ??
    unfit?.message ??
    describeLinkProblem(facts, limits)
  const edit = `/workspace/posts/${id}/edit`
  const isMissing = files.some(({ mediaId }) => missingFiles.includes(mediaId))
  return [
    ...(content
      ? [reason('problem', unfit?.message === content ? 'media_unfit' : 'invalid_content', content, edit)]
      : []),
    ...(isMissing ? [reason('problem', 'media_missing', 'A file of this post is missing. Replace it.', edit)] : []),
    ...(before === 'draft' || before === 'failed'
      ? [
          reason(
            'problem',
            'thread_predecessor',
            before === 'failed'
              ? `Post ${position} of the thread failed. This one waits until it is published.`
              : `Post ${position} of the thread isn’t scheduled. This one waits until it is published.`,
          ),
        ]
      : []),
  ]
}
