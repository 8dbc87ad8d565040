import { operation } from '#lib/operation.ts'
import { billingPlane } from '../entitlements/entitlements.ts'
import { SlugAvailability, SlugQuery } from './contract.ts'
import { checkSlugAvailability } from './slugs.ts'

export const checkSlug = operation({
  route: 'GET /api/internal/organizations/slug-availability',
  summary: 'Check whether a slug is available',
  ...billingPlane,
  input: SlugQuery,
  output: SlugAvailability,
  run: (call) => checkSlugAvailability(call, call.input.slug),
})
