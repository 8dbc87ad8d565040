import type { Module } from '#lib/module.ts'
import { updateReviewActions } from './actions.ts'
import * as comments from './comments.operations.tsx'
import * as feedPages from './feed.pages.tsx'
import * as input from './input.ts'
import { recheckReviews } from './recheck.ts'
import * as reviews from './reviews.operations.tsx'

export const reviewModule: Module = {
  operations: [reviews, comments],
  pages: [feedPages],
  jobs: [updateReviewActions, recheckReviews],
  contracts: [input],
}
