import { and, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '#lib/db.ts'
import { type FieldError, invalid, Problem } from '#lib/errors.ts'
import type { ChangeCall } from '../change-call.ts'
import { Target, type LinkPreview, type PostMedia, type Provider, type YouTubeOptions } from '../contract.ts'
import {
  commentsOf,
  describeCommentProblem,
  describeExcessLength,
  describeNoComments,
  describeReplyProblem,
  findAccount,
  findVideoErrors,
  limitsFor,
} from '../networks/limits.ts'
import { findMediaErrors } from '../media/in-posts.ts'
import { isOffered, networkOf } from '../networks/index.ts'
import { describeLinkProblem, describeNoLinkPreviews, takesLinkPreviews } from '../networks/link-previews.ts'
import type { Limits, Network } from '../networks/network.ts'
import { hasPlacesOf, type PlaceField } from '../networks/places.ts'
import { connections, type PostStatus } from '../schema.ts'

interface Publishable {
  brandId: string
  provider: Provider
  authorId: string
  target?: Target | null
  text: string
  media?: readonly PostMedia[]
  youtube?: YouTubeOptions | null
  firstComment?: string | null
  linkPreview?: LinkPreview | null
  position?: number
}

interface Paths {
  provider: string
  text: string
  media: string
  target: string
  youtube: string
  firstComment: string
  linkPreview: string
}

const ownFields: Paths = {
  provider: 'provider',
  text: 'text',
  media: 'media',
  target: 'target',
  youtube: 'youtube',
  firstComment: 'firstComment',
  linkPreview: 'linkPreview',
}

type CheckCall = Pick<ChangeCall, 'db' | 'config'>

export async function validateForNetwork(
  { db, config }: CheckCall,
  post: Publishable,
  paths: Paths = ownFields,
): Promise<FieldError[]> {
  const { provider, text } = post
  const absent = networkErrors(config, provider, paths.provider)
  if (absent.length > 0) return absent
  const network = networkOf(provider)
  if (!network)
    return [{ path: paths.provider, message: `Atrium can’t publish to ${provider} yet. Save the post as a draft.` }]
  const limits = await limitsFor(db, network, post)
  const long = describeExcessLength(network, text, limits)
  const unfit = await findMediaErrors(db, post, network, limits, paths.media)
  const reply = describeReplyProblem(network, post, limits)
  const link = describeLinkProblem(post, limits)
  return [
    ...(reply ? [{ path: paths[reply.field], message: reply.message }] : []),
    ...(long ? [{ path: paths.text, message: long }] : []),
    ...findVideoErrors(network, post, limits).map(({ field, message }) => ({
      path: field === 'text' ? paths.text : `${paths.youtube}.${field}`,
      message,
    })),
    ...unfit,
    ...(link ? [{ path: paths.linkPreview, message: link }] : []),
    ...(await findCommentErrors(db, network, post, limits, paths.firstComment)),
    ...(await findPlaceErrors(db, network, post, paths.target)),
  ]
}

/** Why the network doesn't take this text. */
export function findTextErrors(
  network: Network,
  { text, position, youtube }: Pick<Publishable, 'text' | 'position' | 'youtube'>,
  limits: Limits,
): FieldError[] {
  const long = describeExcessLength(network, text, limits)
  const reply = describeReplyProblem(network, { text, position }, limits)
  const video = findVideoErrors(network, { text, youtube }, limits).filter(({ field }) => field === 'text')
  return [
    ...(long ? [{ path: 'text', message: long }] : []),
    ...(reply?.field === 'text' ? [{ path: 'text', message: reply.message }] : []),
    ...video.map(({ message }) => ({ path: 'text', message })),
  ]
}

export const networkErrors = (config: CheckCall['config'], provider: Provider, path: string): FieldError[] =>
  isOffered(config, provider)
    ? []
    : [{ path, message: `The ${provider} network is only available in development and test. Choose another network.` }]

/** Also drafts have no comment where the network has none. */
export function commentErrors(
  { provider, firstComment }: Pick<Publishable, 'provider' | 'firstComment'>,
  path = ownFields.firstComment,
): FieldError[] {
  const network = networkOf(provider)
  if (!firstComment || network?.firstComments) return []
  return [{ path, message: describeNoComments(network?.name ?? provider) }]
}

/** Also drafts have no card where the network takes none. */
export function linkErrors(
  { provider, linkPreview }: Pick<Publishable, 'provider' | 'linkPreview'>,
  path = ownFields.linkPreview,
): FieldError[] {
  if (!linkPreview || takesLinkPreviews({ provider })) return []
  return [{ path, message: describeNoLinkPreviews(networkOf(provider)?.name ?? provider) }]
}

async function findCommentErrors(
  db: Database,
  network: Network,
  post: Publishable,
  limits: Limits,
  path: string,
): Promise<FieldError[]> {
  if (!post.firstComment) return []
  const problem = describeCommentProblem(network, post, limits)
  if (problem) return [{ path, message: problem }]
  const account = await findAccount(db, post)
  if (!account || commentsOf(network, { ...account, target: post.target }) === 'allowed') return []
  const message = `Atrium can’t write first comments as ${account.name} on ${network.name}. Reconnect the account with first comments, or remove firstComment.`
  return [{ path, message }]
}

const placeNames: Record<PlaceField, string> = {
  pageId: 'Page',
  groupId: 'Group',
  organizationId: 'organization',
  accountId: 'account',
  threadAccountId: 'account',
}

/** A post for a place that no account has would go to the account instead. */
async function findPlaceErrors(
  db: Database,
  { name, places = [] }: Network,
  { brandId, provider, target }: Publishable,
  path: string,
): Promise<FieldError[]> {
  const { connectionId, ...named } = target ?? {}
  const fields = PlaceFields.parse(Object.keys(named))
  const strange = fields.filter((field) => !places.includes(field))
  if (strange.length > 0)
    return strange.map((field) => ({
      path: `${path}.${field}`,
      message: `${name} doesn’t support ${field}. Remove it.`,
    }))
  const [field] = fields
  if (!field) return []
  const found = await db.execute(sql`
    select from social.connections c
    where c.brand_id = ${brandId} and c.provider = ${provider} and c.active
      and ${connectionId ? sql`c.id = ${connectionId}` : sql`true`}
      and ${hasPlacesOf(sql`${JSON.stringify(named)}::jsonb`)}
    limit 1`)
  if (found.length > 0) return []
  const whose = connectionId ? 'This account' : `No connected ${name} account`
  return [
    {
      path: `${path}.${field}`,
      message: `${whose} has ${connectionId ? 'no' : 'a'} ${placeNames[field]} with this ID.`,
    },
  ]
}

const PlaceFields = z.array(Target.omit({ connectionId: true }).keyof())

/** @throws {Problem} 422 when the network would reject the post */
export async function requirePublishable(call: CheckCall, post: Publishable): Promise<void> {
  const errors = await validateForNetwork(call, post)
  if (errors.length > 0) throw invalid(errors)
}

interface Targeted {
  brandId: string
  provider: Provider
  target?: Target | null
}

/** Null for a target without one. @throws {Problem} 422 unless it is an account of this brand on this network */
export async function requireAccount(db: Database, post: Targeted, path = 'target'): Promise<string | null> {
  const { brandId, provider, target } = post
  if (!target?.connectionId) return null
  const own = and(
    eq(connections.id, target.connectionId),
    eq(connections.brandId, brandId),
    eq(connections.provider, provider),
  )
  const [account] = await db.select({ externalId: connections.externalId }).from(connections).where(own)
  if (account) return account.externalId
  throw invalid([{ path: `${path}.connectionId`, message: `This ${provider} account doesn’t exist in this brand.` }])
}

interface Versioned {
  version: number
  text: string
  status: PostStatus
}

/** @throws {Problem} 409 `version_conflict` with both texts when the post is no longer at the expected version */
export function requireVersion(post: Versioned, expected: number | undefined, text = post.text): void {
  if (expected === undefined || expected === post.version) return
  const detail = 'Someone else changed this post after you opened it. Your changes weren’t saved.'
  throw new Problem(409, 'version_conflict', detail, {
    errors: [
      { path: '', message: detail },
      { path: 'text', message: `Current text: ${post.text}` },
      { path: '', message: `Yours: ${text}` },
    ],
    members: { yours: { version: expected, text }, current: { version: post.version, text: post.text } },
  })
}
