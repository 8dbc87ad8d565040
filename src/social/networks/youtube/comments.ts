import { mayHaveReachedGateway } from '#gateway'
import { Problem } from '#lib/errors.ts'
import { describeMissingScope } from '../limits.ts'
import type {
  FirstComments,
  GatewayMissing,
  PublishCall,
  PublishOutcome,
  ReadBack,
  Receipt,
  Refusal,
  Unclear,
} from '../network.ts'
import { interpretProblem, name, reasonOf, refuse, userOf } from './gateway.ts'

/** With it, apps could also edit and delete videos: it is requested only from people who opt in. */
export const commentScope = 'https://www.googleapis.com/auth/youtube.force-ssl'

/** YouTube counts them in another quota than uploads. */
export const firstComments: FirstComments = { scope: commentScope, hasOwnLimit: true, refusalOf, publish, readBack }

function refusalOf(options: { privacy: string; madeForKids: boolean } | null): string | null {
  if (options === null || options.privacy === 'private')
    return `${name} takes no comments on private videos. Set youtube.privacy to unlisted or public, or remove firstComment.`
  return options.madeForKids ? `${name} takes no comments on videos that are made for kids. Remove firstComment.` : null
}

async function publish(call: PublishCall): Promise<PublishOutcome> {
  const { text, video } = call
  try {
    const user = await userOf(call)
    return await video.client
      .writeComment(user, { videoId: videoOf(call), text })
      .then((comment) => ({ kind: 'published', ...receiptOf(comment) }) as const, interpretFailure)
  } catch (error) {
    return interpretProblem(error)
  }
}

const videoOf = ({ replyTo }: PublishCall): string => replyTo ?? ''

const receiptOf = ({ id, url }: { id: string; url: string }): Receipt => ({ platformPostId: id, permalink: url })

/** Repeating what may have been written could write it twice. */
function interpretFailure(error: unknown): PublishOutcome {
  if (!(error instanceof Problem)) return unclear(`The connection to ${name} was lost before it responded.`)
  const { code, status } = error
  if (code === 'gateway_unavailable')
    return mayHaveReachedGateway(error)
      ? unclear('The provider gateway didn’t respond in time.')
      : ({ kind: 'waiting', reason: 'gateway_unavailable' } satisfies GatewayMissing)
  if (code === 'provider_permission_missing') return refuse('permission_missing', describeMissingScope(name))
  if (code === 'quota_exhausted') return withQuotaSentence(interpretProblem(error))
  if (code === 'not_found') return refuse('post_missing', 'The video is no longer on YouTube.')
  const reason = reasonOf(error)
  // Google calls it a fault that can pass, or invalid input.
  if (reason === 'processingFailure') return temporary
  const known = refusals[reason]
  if (known) return refuse(...known)
  if (status >= 500) return error.options.members?.['mayHaveArrived'] === false ? interpretProblem(error) : temporary
  return interpretProblem(error)
}

const unclear = (message: string): Unclear => ({ kind: 'unclear', code: 'answer_lost', message })
const temporary: Unclear = { kind: 'unclear', code: 'provider_error', message: `${name} has a temporary fault.` }

const withQuotaSentence = (outcome: ReturnType<typeof interpretProblem>): Refusal | Exclude<typeof outcome, Refusal> =>
  outcome.kind === 'refused'
    ? {
        ...outcome,
        message: 'The app has used its calls to YouTube of this day, which ends at midnight Pacific time.',
      }
    : outcome

const blocked = [
  'action_blocked',
  'YouTube doesn’t let this channel write comments. Check its status in YouTube Studio, then retry.',
] as const

const refusals: Readonly<Record<string, readonly [code: string, message: string]>> = {
  commentsDisabled: [
    'comments_disabled',
    'YouTube takes no comments on this video: they are turned off, or it is private or made for kids. Change it in YouTube Studio, then retry.',
  ],
  forbidden: blocked,
  ineligibleAccount: blocked,
}

/** YouTube’s clock can be behind ours. */
const clockMs = 5 * 60_000
/** Of 100 comments. */
const maxPages = 5

/** The channel’s comments with the same text, oldest first. One that is held for review is written, too. */
async function readBack(call: PublishCall): Promise<ReadBack> {
  try {
    for (const moderation of ['published', 'heldForReview', 'likelySpam'] as const) {
      const found = await findComments(call, moderation)
      if (found === null)
        return { kind: 'unreadable', message: `${name} lists too many comments to find this one.`, final: true }
      if (found.length > 0) return { kind: 'read', candidates: found.toReversed() }
    }
    return { kind: 'read', candidates: [] }
  } catch (error) {
    return unreadable(error)
  }
}

type Moderation = 'published' | 'heldForReview' | 'likelySpam'

/** The newest first; null when there are more comments than are read. */
async function findComments(call: PublishCall, moderation: Moderation): Promise<Receipt[] | null> {
  const since = call.startedAt.getTime() - clockMs
  const user = await userOf(call)
  let cursor: string | undefined
  for (let page = 0; page < maxPages; page++) {
    const { items, nextCursor } = await call.video.client.listComments(user, {
      videoId: videoOf(call),
      moderation,
      cursor,
    })
    const recent = items.filter(({ publishedAt }) => Date.parse(publishedAt) >= since)
    const own = recent.filter(
      ({ channelId, text }) => channelId === call.account.externalId && text.trim() === call.text.trim(),
    )
    if (own.length > 0 || nextCursor === null || recent.length < items.length) return own.map(receiptOf)
    cursor = nextCursor
  }
  return null
}

function unreadable(error: unknown): ReadBack {
  const outcome = interpretProblem(error)
  if (outcome.kind === 'waiting')
    return { kind: 'unreadable', message: 'The provider gateway isn’t available.', final: false }
  const isFinal = outcome.kind === 'unauthorized' || !outcome.transient
  return { kind: 'unreadable', message: outcome.message, final: isFinal }
}
