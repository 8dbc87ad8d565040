import type { posts, publishAttempts } from '../schema.ts'

export type Post = typeof posts.$inferSelect
export type Attempt = typeof publishAttempts.$inferSelect

export interface Failure {
  code: string
  message: string
  retryable: boolean
}
