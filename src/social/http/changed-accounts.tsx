import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { ChangedAccounts, hasAccount } from '#views/social/accounts/accounts.tsx'
import type { IntegrationList } from '../contract.ts'
import { askFirstSteps } from './first-steps.ts'

/** The accounts of the brand, since the network's card, the number of accounts and the first steps change too. */
export async function drawChangedAccounts(
  call: Pick<Call<unknown, Actor>, 'actor' | 'ask' | 'identity'>,
  list: IntegrationList,
): Promise<JSX.Element> {
  const { brand } = list
  const steps = brand && (await askFirstSteps(call, { page: 'account', brand, hasAccount: hasAccount(list) }))
  return <ChangedAccounts list={list} steps={steps} />
}
