import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { media, postComments, postReviews, posts } from '../schema.ts'
import { publishesImageOf } from '../link-previews/publishes-images.ts'
import { type Comparing, listChanges, startComparing } from '../review/changes-since.ts'
import { contentOf, fingerprintOf } from '../review/content.ts'
import type { MediaRow } from '../media/files.ts'
import { canPlay } from './files.ts'
import { type LinkedPost, listLinkedPosts } from './linked-posts.ts'
import { type FoundLink, type GuestCall, hasExpired, markUsed } from './open-link.ts'

type ReviewRow = typeof postReviews.$inferSelect
type CommentRow = typeof postComments.$inferSelect
type Names = ReadonlyMap<string, { name: string }>

/** Of a link; the latest. */
const maxComments = 500

/** What its guest sees; of an expired link nothing about the posts. */
export async function readReview(call: GuestCall & { input: { token: string } }, link: FoundLink) {
  const { db, identity, now } = call
  const { token } = call.input
  const linked = await listLinkedPosts(db, link)
  const own = await listOwnDecisions(db, link, linked)
  if (hasExpired(link, now())) {
    const names = await identity.people([link.createdBy])
    return {
      ...aboutLink(link, token, names),
      state: 'expired' as const,
      waiting: linked.filter((post) => isWaiting(post, own)).length,
      requestedAt: link.requestedAt,
    }
  }
  const comments = await listComments(db, linked)
  const files = await listFiles(db, link, linked)
  const people = [
    link.createdBy,
    ...linked.map(({ authorId }) => authorId),
    ...comments.flatMap(({ userId }) => userId ?? []),
  ]
  const names = await identity.people([...new Set(people)])
  await markUsed(db, link, now())
  const comparing = startComparing()
  return {
    ...aboutLink(link, token, names),
    state: 'open' as const,
    canDecide: link.canDecide,
    posts: linked.map((post) => presentPost(post, { link, names, own, comments, files, comparing })),
  }
}

const aboutLink = ({ brand, guestName, expiresAt, createdBy }: FoundLink, token: string, names: Names) => ({
  brand: {
    id: brand.id,
    name: brand.name,
    timeZone: brand.timeZone,
    logoUrl: brand.logoSha256 && `/api/review/${token}/logo?sha256=${brand.logoSha256}`,
  },
  guestName,
  invitedBy: names.get(createdBy)?.name ?? null,
  expiresAt,
})

interface Known {
  link: FoundLink
  names: Names
  own: readonly ReviewRow[]
  comments: readonly CommentRow[]
  files: ReadonlyMap<string, MediaRow>
  comparing: Comparing
}

function presentPost(post: LinkedPost, { link, names, own, comments, files, comparing }: Known) {
  const decision = presentDecision(post, own)
  return {
    ...post,
    media: post.media.map((file) => ({ ...file, ...presentFile(files.get(file.mediaId)) })),
    linkPreviewImage: publishesImageOf(post, link.brand.reviewPolicy),
    account: post.accountName,
    author: names.get(post.authorId)?.name ?? null,
    decision: decision && { ...decision, decidedAt: decision.createdAt },
    changed: decision ? null : changesOf(post, own, comparing),
    comments: comments
      .filter(({ postId }) => postId === post.id)
      .map((comment) => ({ ...comment, by: presentAuthor(comment, link, names) })),
  }
}

const presentFile = (file: MediaRow | undefined) => ({
  kind: file?.kind ?? null,
  playable: file !== undefined && canPlay(file),
})

const isWaiting = (post: LinkedPost, own: readonly ReviewRow[]): boolean =>
  post.status !== 'published' && presentDecision(post, own) === null

/** On the present content. Of a published post the latest one. */
function presentDecision(post: LinkedPost, own: readonly ReviewRow[]): ReviewRow | null {
  const last = own.find(({ postId }) => postId === post.id) ?? null
  if (last === null || post.status === 'published') return last
  return last.voidedAt === null && last.fingerprint === fingerprintOf(contentOf(post)) ? last : null
}

function changesOf(post: LinkedPost, own: readonly ReviewRow[], comparing: Comparing) {
  const last = own.find(({ postId }) => postId === post.id)
  if (!last || post.status === 'published') return null
  const changes = listChanges(last.content, contentOf(post), comparing)
  return changes.length > 0 ? { decision: last.decision, decidedAt: last.createdAt, changes } : null
}

function presentAuthor({ userId, linkId, guestName }: CommentRow, link: FoundLink, names: Names) {
  if (linkId !== null) return { kind: linkId === link.id ? ('you' as const) : ('guest' as const), name: guestName }
  return { kind: 'member' as const, name: (userId && names.get(userId)?.name) || null }
}

/** The latest of each post: a decision voids the one before. */
async function listOwnDecisions(db: Database, link: FoundLink, linked: readonly LinkedPost[]): Promise<ReviewRow[]> {
  if (linked.length === 0) return []
  const latest = sql`(
    SELECT latest.id FROM ${posts} CROSS JOIN LATERAL (
      SELECT r.id FROM social.post_reviews r WHERE r.post_id = posts.id AND r.link_id = ${link.id}
      ORDER BY r.created_at DESC, r.id DESC LIMIT 1) latest
    WHERE ${inArray(
      posts.id,
      linked.map(({ id }) => id),
    )})`
  return db.select().from(postReviews).where(inArray(postReviews.id, latest))
}

async function listFiles(db: Database, { brandId }: FoundLink, linked: readonly LinkedPost[]) {
  const ids = linked.flatMap(({ media: files }) => files.map(({ mediaId }) => mediaId))
  if (ids.length === 0) return new Map<string, MediaRow>()
  const rows = await db
    .select()
    .from(media)
    .where(and(eq(media.brandId, brandId), inArray(media.id, ids)))
  return new Map(rows.map((row) => [row.id, row]))
}

/** Oldest first. */
async function listComments(db: Database, linked: readonly LinkedPost[]): Promise<CommentRow[]> {
  if (linked.length === 0) return []
  const ids = linked.map(({ id }) => id)
  const latest = await db
    .select()
    .from(postComments)
    .where(inArray(postComments.postId, ids))
    .orderBy(desc(postComments.createdAt), desc(postComments.id))
    .limit(maxComments)
  return latest.toReversed()
}
