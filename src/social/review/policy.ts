import type { ReviewPolicy } from '../schema.ts'

export type Policy = Required<ReviewPolicy>

export const policyOf = (stored: ReviewPolicy | undefined): Policy => ({
  approvals: stored?.approvals ?? 0,
  allowAuthor: stored?.allowAuthor ?? false,
  countGuests: stored?.countGuests ?? true,
})
