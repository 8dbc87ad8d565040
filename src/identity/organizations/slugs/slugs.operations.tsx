import { operation } from '#lib/operation.ts'
import { billingPlane } from '../entitlements/entitlements.ts'
import { SlugStatus } from '#views/identity/onboarding/organization-step.tsx'
import { SlugAvailability, SlugQuery, SlugSuggestion } from './contract.ts'
import { checkSlugAvailability, suggestSlug } from './slugs.ts'

export const checkSlug = operation({
  route: 'GET /api/internal/organizations/slug-availability',
  summary: 'Check whether a slug is available',
  ...billingPlane,
  input: SlugQuery,
  output: SlugAvailability,
  run: (call) => checkSlugAvailability(call, call.input.slug),
})

export const suggestOrganizationSlug = operation({
  route: 'GET /api/organization-slugs',
  summary: 'Check a slug for a new organization',
  permission: 'signed-in',
  input: SlugQuery,
  output: SlugSuggestion,
  run: (call) => suggestSlug(call, call.input.slug),
  view: (answer) => <SlugStatus {...answer} />,
})
