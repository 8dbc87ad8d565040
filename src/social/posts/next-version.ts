import { sql } from 'drizzle-orm'
import { posts } from '../schema.ts'

/** Columns of each change of a post: by a person or key, or by the server itself (null). */
export const nextVersion = (updatedBy: string | null) => ({
  version: sql`${posts.version} + 1`,
  updatedAt: sql`clock_timestamp()`,
  updatedBy,
})
