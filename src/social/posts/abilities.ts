import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import type { Post, PostAbilities } from '../contract.ts'

type State = Pick<Post, 'brandId' | 'status' | 'platformPostId'> & {
  isDue: boolean
  waitingFor: { reason: string } | null
  withdrawnAt: unknown
}

/** What the caller can do with posts: of one brand, since a role can differ from brand to brand (IDN-27). */
export interface Abilities {
  /** In any brand when `brandId` is undefined. */
  canWrite(brandId?: string): boolean
  of(post: State): PostAbilities
}

/** What the caller can do with posts, by permissions and the posts' states. */
export async function abilitiesOf({
  identity,
  actor,
}: Pick<Call<unknown, Actor>, 'identity' | 'actor'>): Promise<Abilities> {
  const permission = `${await identity.serviceId('platform-socialize')}.posts:write`
  const has = actor.permissions.has(permission)
  const brands = actor.bindings.filter(
    ({ kind, permissions }) => kind === 'brand' && (permissions?.has(permission) ?? true),
  )
  const canWrite = (brandId?: string) =>
    has && (actor.bindings.length === 0 || brands.some(({ id }) => id === (brandId ?? id)))
  return { canWrite, of: (post) => abilitiesIn(post, canWrite(post.brandId)) }
}

function abilitiesIn(
  { status, isDue, waitingFor, platformPostId, withdrawnAt }: State,
  canWrite: boolean,
): PostAbilities {
  const isSending = status === 'scheduled' && isDue && !waitingFor
  const isEditable = canWrite && status !== 'published' && !isSending
  return {
    update: isEditable,
    delete: isEditable,
    publishNow: isEditable && (status === 'draft' || (status === 'scheduled' && !waitingFor)),
    retry: isEditable && status === 'failed',
    duplicate: canWrite,
    detach: isEditable && waitingFor?.reason === 'thread_predecessor',
    withdraw: canWrite && status === 'published' && platformPostId !== null && withdrawnAt === null,
  }
}
