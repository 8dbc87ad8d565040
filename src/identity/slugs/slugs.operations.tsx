import { operation } from '#lib/operation.ts'
import { billingPlane } from '../billing-plane.ts'
import { SlugAvailability, SlugQuery } from './contract.ts'
import { slugAvailability } from './slugs.ts'

export const checkSlug = operation({
  route: 'GET /api/internal/organizations/slug-availability',
  summary: 'Check whether a slug is available',
  ...billingPlane,
  input: SlugQuery,
  output: SlugAvailability,
  run: (call) => slugAvailability(call, call.input.slug),
})
