import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { Timestamp } from '#lib/time.ts'
import { next } from '../../contract/fields.ts'
import { Proof } from '../second-factor/contract.ts'

/** A configured provider’s name, or the id of an organization with single sign-on. */
export const ProviderId = z.union([z.enum(['github', 'google', 'oidc']), Id])

export const UpstreamStart = z.object({ provider: ProviderId, next })
export type UpstreamStart = z.output<typeof UpstreamStart>

export const IdentityStart = Proof.extend({ provider: ProviderId })

export const UpstreamAddress = z.object({ authorizeUrl: z.url() })

export const UpstreamIdentity = z.object({
  id: Id,
  provider: z.string(),
  name: z.string().describe('The provider’s display name.'),
  createdAt: Timestamp,
})
export type UpstreamIdentity = z.output<typeof UpstreamIdentity>

const text = z.string().max(2000).optional()

/** The query of a provider’s redirect. */
export const UpstreamReturn = z.object({
  provider: ProviderId,
  state: z.string().max(200).default(''),
  code: text,
  iss: text,
  error: text,
  error_description: text,
})
export type UpstreamReturn = z.output<typeof UpstreamReturn>
