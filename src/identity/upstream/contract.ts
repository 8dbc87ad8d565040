import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { Timestamp } from '#lib/time.ts'
import { next } from '../contract/fields.ts'
import { Proof } from '../second-factor/contract.ts'

/** A provider's part of addresses: a name of the configuration, or the id of the organization whose own it is. */
export const ProviderId = z.union([z.enum(['github', 'google', 'oidc']), Id])

export const UpstreamStart = z.object({ provider: ProviderId, next })
export type UpstreamStart = z.output<typeof UpstreamStart>

export const IdentityStart = Proof.extend({ provider: ProviderId })

/** Where a browser goes to say who it is. */
export const UpstreamAddress = z.object({ authorizeUrl: z.url() })

/** A way to sign in that somebody connected. */
export const UpstreamIdentity = z.object({
  id: Id,
  provider: z.string(),
  name: z.string().describe('Of the provider, for people.'),
  createdAt: Timestamp,
})
export type UpstreamIdentity = z.output<typeof UpstreamIdentity>

const text = z.string().max(2000).optional()

/** What a provider sends a browser back with. */
export const UpstreamReturn = z.object({
  provider: ProviderId,
  state: z.string().max(200).default(''),
  code: text,
  iss: text,
  error: text,
  error_description: text,
})
export type UpstreamReturn = z.output<typeof UpstreamReturn>
