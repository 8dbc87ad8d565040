import type { CredentialFamily } from '../contract/credentials.ts'
import { findPaymentsFault } from '../payments/check.ts'
import { findOAuthFault, hasOAuthCheck } from '../social-credentials/oauth/check.ts'
import type { FindFault } from './checker.ts'
import { kindOf } from './kinds.ts'
import { findModelsFault } from './models-check.ts'

/** By the family of the provider. */
const checks: Readonly<Partial<Record<CredentialFamily, FindFault>>> = {
  ai: findModelsFault,
  payments: findPaymentsFault,
}

/** Undefined for credentials that are stored unchecked. */
export const checkOf = (provider: string): FindFault | undefined =>
  hasOAuthCheck(provider) ? findOAuthFault : checks[kindOf(provider).family]

export const isCheckable = (provider: string): boolean => checkOf(provider) !== undefined
