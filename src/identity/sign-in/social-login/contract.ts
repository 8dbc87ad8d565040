import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { Timestamp } from '#lib/time.ts'
import { next } from '../../contract/fields.ts'
import { Proof } from '../second-factor/contract.ts'
import { failures } from './provider.ts'

/** A configured provider’s name, or the id of an organization with single sign-on. */
export const ProviderId = z.union([z.enum(['github', 'google', 'oidc']), Id])

export const SsoStart = z.object({ provider: ProviderId, next })
export type SsoStart = z.output<typeof SsoStart>

export const IdentityStart = Proof.extend({ provider: ProviderId })

export const SignInProvider = z.object({ id: z.string(), name: z.string() })
export type SignInProvider = z.output<typeof SignInProvider>

/** Of a page to which a failed sign-in returns. Invalid values are ignored. */
export const troubleQuery = {
  failure: z.enum(failures).optional().catch(undefined),
  provider: ProviderId.optional().catch(undefined),
  request: Id.optional().catch(undefined),
}

export const TroubleQuery = z.object({
  failure: z.enum(failures),
  provider: ProviderId.optional(),
  request: Id.optional(),
})
export type TroubleQuery = z.output<typeof TroubleQuery>

export const Trouble = z.object({
  reason: z.enum(failures),
  name: z.string().describe('The provider’s display name.'),
  request: Id.nullable().describe('The ID of the failed request, for support.'),
})
export type Trouble = z.output<typeof Trouble>

export const SocialLoginRedirect = z.object({ authorizeUrl: z.url() })

export const ConnectedIdentity = z.object({
  id: Id,
  provider: z.string(),
  name: z.string().describe('The provider’s display name.'),
  createdAt: Timestamp,
})
export type ConnectedIdentity = z.output<typeof ConnectedIdentity>

const text = z.string().max(2000).optional()

export const SsoReturn = z.object({
  provider: ProviderId,
  state: z.string().max(200).default(''),
  code: text,
  iss: text,
  error: text,
  error_description: text,
})
export type SsoReturn = z.output<typeof SsoReturn>
