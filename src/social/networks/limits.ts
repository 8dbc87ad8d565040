import { and, asc, desc, eq, sql } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import type { FirstComments, Provider, Target, YouTubeOptions } from '../contract.ts'
import { connections } from '../schema.ts'
import type { Limits, Metadata, Network } from './network.ts'

export const limitsOf = (network: Network, metadata: Metadata | null): Limits =>
  (metadata && network.limitsOf?.(metadata)) ?? network.limits

export function describeExcessLength(network: Network, text: string, limits: Limits): string | null {
  const { name } = network
  const over = network.count(text, limits) - limits.characters
  const unit = limits.counting === 'bytes' ? 'bytes' : 'characters'
  if (over > 0) return `Shorten the text by ${over}. ${name} allows ${limits.characters} ${unit}.`
  if (limits.bytes && Buffer.byteLength(text) > limits.bytes)
    return `Shorten the text. It has ${Buffer.byteLength(text)} bytes, and ${name} allows ${limits.bytes}.`
  return (
    describeExcess(text.match(/#[\p{L}\p{N}_]+/gu), 'hashtags', { name, allowed: limits.hashtags }) ??
    describeExcess(text.match(/@[\p{L}\p{N}_.]+/gu), 'mentions', { name, allowed: limits.mentions })
  )
}

function describeExcess(
  found: readonly string[] | null,
  what: string,
  { name, allowed = Infinity }: { name: string; allowed?: number },
): string | null {
  const over = (found?.length ?? 0) - allowed
  return over > 0 ? `Remove ${over} of the ${what}. ${name} allows ${allowed}.` : null
}

interface Part {
  text: string
  media?: readonly unknown[]
  /** In its thread, from 0. */
  position?: number
}

/** What the network doesn't accept of a later post of a thread; null for the first one. */
export function describeReplyProblem(
  { name, count }: Network,
  { text, media = [], position = 0 }: Part,
  limits: Limits,
): { field: 'provider' | 'text' | 'media'; message: string } | null {
  const { replies } = limits
  if (position === 0 || replies === undefined) return null
  if (replies === null)
    return { field: 'provider', message: `${name} has no threads. Publish this as a post of its own.` }
  if (media.length > replies.media)
    return { field: 'media', message: `${name} takes files only in the first post of a thread. Remove them.` }
  const over = count(text, limits) - replies.characters
  if (over <= 0) return null
  const message = `Shorten the text by ${over}. ${name} allows ${replies.characters} characters in later posts of a thread.`
  return { field: 'text', message }
}

export const describeNoComments = (name: string): string =>
  `Atrium can’t write first comments on ${name}. Remove firstComment.`

interface Commented {
  firstComment?: string | null
  position?: number
  target?: Target | null
  youtube?: YouTubeOptions | null
}

/** Why the network takes no such first comment; null without one. */
export function describeCommentProblem(
  { name, count, firstComments }: Network,
  { firstComment, position = 0, target, youtube = null }: Commented,
  limits: Limits,
): string | null {
  if (!firstComment) return null
  const { firstComment: own } = limits
  if (!firstComments || !own) return describeNoComments(name)
  if (position > 0) return 'Only the first post of a thread can have a first comment. Remove firstComment.'
  if (target?.groupId !== undefined) return `Atrium can’t write first comments in ${name} Groups. Remove firstComment.`
  const refusal = firstComments.refusalOf?.(youtube) ?? null
  if (refusal !== null) return refusal
  const length = own.counting === 'utf16' ? firstComment.length : count(firstComment, limits)
  const over = length - own.characters
  return over > 0 ? `Shorten the first comment by ${over}. ${name} allows ${own.characters} characters.` : null
}

/** `scopes`: of the account, and of a Group within it where the target names one. */
export function commentsOf(
  network: Network | null,
  { scopes, metadata, target }: { scopes: readonly string[]; metadata: Metadata; target?: Target | null },
): FirstComments {
  if (!network?.firstComments || !limitsOf(network, metadata).firstComment) return 'unavailable'
  if (target?.groupId !== undefined || metadata['groupId'] !== undefined) return 'unavailable'
  return allowsComments(network, scopes) ? 'allowed' : 'permission_missing'
}

/** Whether the account gave Atrium what writing first comments needs. */
export const allowsComments = ({ firstComments }: Network, scopes: readonly string[]): boolean =>
  firstComments !== undefined && (firstComments.scope === undefined || scopes.includes(firstComments.scope))

export const describeMissingScope = (name: string): string =>
  `${name} didn’t give Atrium the permission to write comments. Reconnect the account with first comments, then retry.`

/** What the network doesn't accept of a video's words. */
export function findVideoErrors(
  { name }: Network,
  { text, youtube }: { text: string; youtube?: YouTubeOptions | null },
  { refusedCharacters: refused, title: titleLimit, videoTags: tagsLimit }: Limits,
): { field: 'text' | 'title' | 'tags'; message: string }[] {
  const { title = null, tags = [] } = youtube ?? {}
  const hasRefused = (words: string) => refused !== undefined && [...refused].some((each) => words.includes(each))
  const without = `Remove ${[...(refused ?? '')].join(' and ')}, which ${name} doesn’t accept`
  const over = (length: number, limit: number | undefined) => (limit === undefined ? 0 : length - limit)
  const longTitle = over((title ?? '').length, titleLimit)
  const longTags = over(lengthOfTags(tags), tagsLimit)
  return [
    ...(hasRefused(text) ? [{ field: 'text', message: `${without}.` } as const] : []),
    ...(hasRefused(title ?? '') ? [{ field: 'title', message: `${without} in titles.` } as const] : []),
    ...(longTitle > 0
      ? [
          {
            field: 'title',
            message: `Shorten the title by ${longTitle}. ${name} allows ${titleLimit} characters.`,
          } as const,
        ]
      : []),
    ...(tags.some(hasRefused) ? [{ field: 'tags', message: `${without} in tags.` } as const] : []),
    ...(longTags > 0
      ? [
          {
            field: 'tags',
            message: `Shorten the tags by ${longTags}. ${name} allows ${tagsLimit} characters together.`,
          } as const,
        ]
      : []),
  ]
}

/** As YouTube counts them: with commas between them, and quotation marks around those with a space. */
const lengthOfTags = (tags: readonly string[]): number =>
  tags.reduce((sum, tag) => sum + tag.length + (tag.includes(' ') ? 2 : 0), Math.max(tags.length - 1, 0))

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Characters as a reader counts them: a flag, a family or an accented letter is one. */
export const countGraphemes = (text: string): number => [...segmenter.segment(text)].length

interface Placed {
  brandId: string
  provider: Provider
  authorId: string
  target?: Target | null
}

/** Characters that Unicode counts, as most servers do. */
export const countCodePoints = (text: string): number => [...text].length

/** The limits of the account that would publish a post (SOC-14, SOC-21); the network's default limits without one. */
export async function limitsFor(db: Database, network: Network, post: Placed): Promise<Limits> {
  if (!network.limitsOf) return network.limits
  return limitsOf(network, (await findAccount(db, post))?.metadata ?? null)
}

/** The account that would publish a post. */
export async function findAccount(db: Database, { brandId, provider, authorId, target }: Placed) {
  const [row] = await db
    .select({ name: connections.name, metadata: connections.metadata, scopes: connections.scopes })
    .from(connections)
    .where(
      and(
        eq(connections.brandId, brandId),
        eq(connections.provider, provider),
        target?.connectionId ? eq(connections.id, target.connectionId) : eq(connections.active, true),
      ),
    )
    .orderBy(desc(sql`${connections.ownerId} = ${authorId}`), asc(connections.createdAt))
    .limit(1)
  return row
}
