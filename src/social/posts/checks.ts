import { and, eq } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { type FieldError, invalid, Problem } from '#lib/errors.ts'
import type { ChangeCall } from '../change-call.ts'
import type { PostMedia, Provider, Target } from '../contract.ts'
import { limitsFor } from '../accounts/limits.ts'
import { findMediaErrors } from '../media/in-posts.ts'
import { isOffered, networkOf } from '../networks/index.ts'
import { describeExcessLength } from '../networks/limits.ts'
import type { Network } from '../networks/network.ts'
import { connections, type PostStatus } from '../schema.ts'

interface Sendable {
  brandId: string
  provider: Provider
  authorId: string
  target?: Target | null
  text: string
  media?: readonly PostMedia[]
}

/** The fields that hold what is checked. */
interface Paths {
  provider: string
  text: string
  media: string
  target: string
}

const ownFields: Paths = { provider: 'provider', text: 'text', media: 'media', target: 'target' }

type Checking = Pick<ChangeCall, 'db' | 'config'>

/** Why the network would refuse the text, the images or the place, else nothing. */
export async function unsendable(
  { db, config }: Checking,
  post: Sendable,
  paths: Paths = ownFields,
): Promise<FieldError[]> {
  const { provider, text } = post
  const absent = notOffered(config, provider, paths.provider)
  if (absent.length > 0) return absent
  const network = networkOf(provider)
  if (!network)
    return [{ path: paths.provider, message: `Atrium can’t publish to ${provider} yet. Save the post as a draft.` }]
  const limits = await limitsFor(db, network, post)
  const long = describeExcessLength(network, text, limits)
  const unfit = await findMediaErrors(db, post, network, limits, paths.media)
  return [
    ...(long ? [{ path: paths.text, message: long }] : []),
    ...unfit,
    ...unknownPlaces(network, post, paths.target),
  ]
}

/** Why there can't be a post for this network here at all, else nothing. */
export const notOffered = (config: Checking['config'], provider: Provider, path: string): FieldError[] =>
  isOffered(config, provider)
    ? []
    : [{ path, message: `The ${provider} network is only available in development and test. Choose another network.` }]

/** No network built so far has places within an account, such as Pages: a post for one would miss it. */
const unknownPlaces = ({ name }: Network, { target }: Sendable, path: string): FieldError[] =>
  Object.keys(target ?? {})
    .filter((field) => field !== 'connectionId')
    .map((field) => ({ path: `${path}.${field}`, message: `${name} doesn’t support ${field}. Remove it.` }))

/** Throws 422 when a post that is to be scheduled couldn't be sent. */
export async function requireSendable(act: Checking, post: Sendable): Promise<void> {
  const errors = await unsendable(act, post)
  if (errors.length > 0) throw invalid(errors)
}

interface Targeted {
  brandId: string
  provider: Provider
  target?: Target | null
}

/**
 * What the network calls the account that a target names; null where it names none.
 * Throws 422 unless it is one of this brand on this network.
 */
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

/** Throws 409 `version_conflict` with both texts when the post is no longer the one that the caller saw. */
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
