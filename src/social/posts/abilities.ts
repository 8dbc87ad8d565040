import type { Post, PostAbilities } from '../contract.ts'

type State = Pick<Post, 'status' | 'platformPostId'> & {
  isDue: boolean
  waitingFor: { reason: string } | null
  withdrawnAt: unknown
}

export function abilitiesOf(
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
