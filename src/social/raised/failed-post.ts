import { and, desc, eq } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { truncate } from '#lib/text.ts'
import { posts } from '../schema.ts'
import type { Subject } from './subject.ts'

export const maxRead = 500

export type FailedPost = Awaited<ReturnType<typeof listFailed>>[number]

export const listFailed = (tx: Database, { brandId, provider }: Subject) =>
  tx
    .select({
      id: posts.id,
      text: posts.text,
      code: posts.failureCode,
      message: posts.failureMessage,
      retryable: posts.failureRetryable,
    })
    .from(posts)
    .where(and(eq(posts.brandId, brandId), eq(posts.provider, provider), eq(posts.status, 'failed')))
    .orderBy(desc(posts.sortAt), desc(posts.id))
    .limit(maxRead)

export const excerptOf = ({ text }: Pick<FailedPost, 'text'>): string =>
  `“${truncate(text.replaceAll(/\s+/g, ' '), 80)}”`
