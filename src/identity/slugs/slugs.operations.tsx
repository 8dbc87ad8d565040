import { operation } from '#lib/operation.ts'
import { billingPlane } from '../billing-plane.ts'
import { SlugAvailability, SlugQuery } from './contract.ts'
import { slugAvailability } from './slugs.ts'

export const checkSlug = operation({
  route: 'GET /api/internal/organizations/slug-availability',
  summary: 'Whether an organization could have a slug, and why not',
  ...billingPlane,
  input: SlugQuery,
  output: SlugAvailability,
  run: (call) => slugAvailability(call, call.input.slug),
})
