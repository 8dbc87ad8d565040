import type { ListedPost, Post } from '#social/types'
import type { State } from '#views/ui/marks.tsx'
import { timeText } from '#views/ui/time.tsx'

export interface Place {
  brand: { id: string; name: string }
  zone: string
  now: Date
}

export function excerpt(text: string, longest = 160): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > longest ? `${line.slice(0, longest).trimEnd()}…` : line
}

export const accountName = (network: Post['provider'], name: string | null): string =>
  name === null ? 'No account' : network === 'sandbox' ? `@${name}` : name

export const postHref = ({ id, brandId }: Pick<Post, 'id' | 'brandId'>): string =>
  `/workspace/posts/${id}?brandId=${brandId}`

export const editHref = ({ id, brandId }: Pick<Post, 'id' | 'brandId'>): string =>
  `/workspace/posts/${id}/edit?brandId=${brandId}`

/** Null where Atrium doesn't know it. */
export const accountUrl = ({ provider, accountName: name }: ListedPost): string | null =>
  provider === 'sandbox' && name ? timelineHref(name) : null

export const timelineHref = (handle: string): string => `/dev/sandbox/${encodeURIComponent(handle)}`

/** Networks that show the title and image of a link’s page as they read it themselves. */
export const readsPages: ReadonlySet<Post['provider']> = new Set(['facebook', 'threads'])

export const networkNames: Record<Post['provider'], string> = {
  sandbox: 'Sandbox',
  x: 'X',
  linkedin: 'LinkedIn',
  'linkedin-page': 'LinkedIn Page',
  facebook: 'Facebook',
  instagram: 'Instagram',
  threads: 'Threads',
  youtube: 'YouTube',
  tiktok: 'TikTok',
  bluesky: 'Bluesky',
  mastodon: 'Mastodon',
  discord: 'Discord',
}

type PlaceInTime = Pick<Place, 'now' | 'zone'>

export function stateOf({ status, waitingFor, isDue }: Pick<ListedPost, 'status' | 'waitingFor' | 'isDue'>): State {
  if (status !== 'scheduled') return status
  if (waitingFor) return 'waiting'
  return isDue ? 'sending' : 'scheduled'
}

/** Whether the post is published, and a person has to see to its first comment. */
export const hasCommentTrouble = ({ firstCommentState, withdrawnAt }: CommentedPost): boolean =>
  withdrawnAt === null && (firstCommentState === 'failed' || firstCommentState === 'unknown')

type CommentedPost = Pick<ListedPost, 'firstCommentState' | 'withdrawnAt'>

/** Null when the state says it all. */
export function reasonOf(post: ListedPost, place: PlaceInTime): string | null {
  if (post.failureCode === 'outcome_unknown') return 'Not confirmed: check the account'
  if (post.status === 'failed') return post.failureMessage
  if (post.withdrawnAt) return `Deleted from ${networkNames[post.provider]}`
  if (hasCommentTrouble(post))
    return post.firstCommentState === 'failed' ? 'First comment failed' : 'First comment not confirmed: check the post'
  return post.waitingFor ? waitingReason(post, place) : (post.readiness?.reasons[0]?.message ?? null)
}

function waitingReason({ waitingFor, position, provider }: ListedPost, place: PlaceInTime): string {
  if (waitingFor?.reason === 'thread_predecessor') return `Waiting for post ${position}`
  if (waitingFor?.reason === 'workspace_suspended') return 'The organization is suspended'
  if (waitingFor?.reason === 'identity_unavailable') return 'Can’t check the organization’s status right now'
  if (waitingFor?.reason === 'gateway_unavailable')
    return `Waiting for the provider gateway, which refreshes the sign-in at ${networkNames[provider]}`
  if (waitingFor?.reason === 'rate_window' && waitingFor.until)
    return `${networkNames[provider]} limits how often this account posts. Next attempt ${attemptTime(waitingFor.until, place)}`
  if (waitingFor?.reason === 'media_uploading')
    return `Uploading to ${networkNames[provider]}: ${waitingFor.percent ?? 0}%`
  if (waitingFor?.reason === 'approval_required') return 'Waiting for an approval'
  if (waitingFor?.reason === 'paused') return 'Publishing is paused'
  if (waitingFor?.reason === 'media_processing') return `${networkNames[provider]} is processing the media`
  return 'Waiting for another post to this account'
}

/** `at 10:20`, with the day unless it is today. */
function attemptTime(until: string, { now, zone }: PlaceInTime): string {
  const time = `at ${timeText(until, zone, 'time')}`
  return dayKey(until, zone) === dayKey(now, zone) ? time : `on ${timeText(until, zone, 'day')} ${time}`
}

export const postsTopic = (brandId: string): string => `posts:${brandId}`

export interface Group {
  /** The day as `2026-11-21`. */
  key: string
  title: string
  note: string | null
  posts: ListedPost[]
}

/** Consecutive posts, in the given order. */
export function groupByDay(posts: readonly ListedPost[], { now, zone }: PlaceInTime): Group[] {
  const groups: Group[] = []
  for (const post of posts) {
    const at = timeOf(post)
    const key = dayKey(at, zone)
    if (groups.at(-1)?.key !== key) groups.push({ key, ...headingOf(at, zone, now), posts: [] })
    groups.at(-1)?.posts.push(post)
  }
  return groups
}

/** `09:00` today, `Yesterday`, else `Thu 19 Nov`. */
export function nearTime(at: string, { now, zone }: PlaceInTime): string {
  const away = daysFrom(now, at, zone)
  if (away === 0) return timeText(at, zone, 'time')
  return dayNames[away] ?? timeText(at, zone, 'day')
}

export const dayKey = (at: Date | string, zone: string): string => plainDate(at, zone).toString()

export function wallTimeOf(at: Date, zone: string): { date: string; time: string } {
  const local = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zone)
  return { date: local.toPlainDate().toString(), time: local.toPlainTime().toString().slice(0, 5) }
}

const quarterHour = 15 * 60_000

/** An hour from now, at a full quarter. */
export const inAnHour = (now: Date): Date =>
  new Date(Math.ceil(now.getTime() / quarterHour) * quarterHour + 3 * quarterHour)

const timeOf = ({ scheduledAt, createdAt }: ListedPost): string => scheduledAt ?? createdAt

const dayNames: Record<number, string> = { [-1]: 'Yesterday', 0: 'Today', 1: 'Tomorrow' }

function headingOf(at: string, zone: string, now: Date): Pick<Group, 'title' | 'note'> {
  const date = `${timeText(at, zone, 'date')}${yearOf(at, zone, now)}`
  const name = dayNames[daysFrom(now, at, zone)]
  return name ? { title: name, note: date } : { title: date, note: null }
}

const yearOf = (at: string, zone: string, now: Date): string => {
  const { year } = plainDate(at, zone)
  return year === plainDate(now, zone).year ? '' : ` ${year}`
}

const daysFrom = (now: Date, at: string, zone: string): number =>
  plainDate(now, zone).until(plainDate(at, zone)).total('days')

const plainDate = (at: Date | string, zone: string): Temporal.PlainDate =>
  Temporal.Instant.fromEpochMilliseconds(new Date(at).getTime()).toZonedDateTimeISO(zone).toPlainDate()

/** The attributes of a link that leaves Atrium. */
export const newTab = { target: '_blank', rel: 'noopener' } as const
