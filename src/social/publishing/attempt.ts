import type { posts, publishAttempts } from '../schema.ts'

export type Post = typeof posts.$inferSelect
export type Attempt = typeof publishAttempts.$inferSelect

/** What is sent to a network, in an attempt or before one. */
export type Outgoing = Pick<
  Attempt,
  'brandId' | 'postId' | 'provider' | 'externalAccount' | 'payload' | 'payloadHash' | 'startedAt' | 'events'
>

export interface Failure {
  code: string
  message: string
  retryable: boolean
}
