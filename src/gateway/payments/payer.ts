import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { attributionOf, type Attribution } from '../ai/attribution.ts'
import { accountIn } from './choose-credential.ts'

/** Null for customers of the platform that have no organization yet: their requests count for none. */
export type PaymentPayer = Omit<Attribution, 'organizationId'> & { organizationId: string | null }

type PayerCall = Pick<Call<unknown, Actor>, 'actor' | 'request' | 'identity'>

const withoutOrganization: PaymentPayer = {
  organizationId: null,
  applicationId: null,
  apiKeyId: null,
  userId: null,
  test: false,
}

/** An organization has to be named for any account but the platform’s own. @throws {Problem} as `attributionOf` */
export async function payerIn(call: PayerCall, options: { evenSuspended: boolean }): Promise<PaymentPayer> {
  const { headers } = call.request
  if (headers.get('X-Organization-Id') === null && isPlatforms(accountIn(headers))) return withoutOrganization
  return attributionOf(call, options)
}

const isPlatforms = (account: string | null): boolean =>
  account === 'platform' || account?.startsWith('platform:') === true || account?.startsWith('practice:') === true
