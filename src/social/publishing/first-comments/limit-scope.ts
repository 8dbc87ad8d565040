import type { Network } from '../../networks/network.ts'
import { rateLimitScopeOf } from '../prepare-attempt.ts'
import type { RateLimitScope } from '../rate-windows.ts'

type Account = Parameters<typeof rateLimitScopeOf>[1]

/** Where the network counts comments apart, posts don’t wait for their limit, nor they for that of posts. */
export function limitScopeOf({ provider, firstComments }: Network, account: Account): RateLimitScope {
  const scope = rateLimitScopeOf(provider, account)
  if (!firstComments?.hasOwnLimit) return scope
  return { ...scope, account: `comments ${scope.account}`, app: scope.app === null ? null : `comments ${scope.app}` }
}
