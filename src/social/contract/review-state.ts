import { z } from 'zod'

export const PostReviewState = z.enum(['none', 'requested', 'approved', 'changes_requested'])
export type PostReviewState = z.output<typeof PostReviewState>
