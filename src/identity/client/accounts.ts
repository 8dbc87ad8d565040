import { listOf } from '#lib/paginate.ts'
import { Onboarding } from '../accounts/onboarding/contract.ts'
import { AccountsStatus, LiveSession, Me, Preferences, SecondFactorProof } from '../contract.ts'
import type { Presented } from '../tokens/credential.ts'
import type { IdentityClient } from './client.ts'
import { changingHeaders, headersOf } from './headers.ts'
import { partsOf } from './parts.ts'
import { dashboardSlug, type Requests } from './requests.ts'

type Accounts = Pick<
  IdentityClient,
  | 'me'
  | 'onboarding'
  | 'preferences'
  | 'updatePreferences'
  | 'updateAppPreferences'
  | 'liveSessions'
  | 'proveSecondFactor'
  | 'hasAccounts'
>

/** What identity's own process answers without a request. */
export interface LocalAccounts {
  me(presented: Presented): Promise<Me>
  preferences(presented: Presented): Promise<Preferences>
}

export function createAccounts(
  { fetchJson, requestAsService }: Requests,
  inProcess: LocalAccounts | undefined,
): Accounts {
  let accountsExist = false
  return {
    me: async (presented) =>
      inProcess ? inProcess.me(presented) : fetchJson(Me, '/api/auth/me', headersOf(presented)),
    onboarding: (presented) => fetchJson(Onboarding, '/api/auth/me/onboarding', headersOf(presented)),
    preferences: async (presented) =>
      inProcess
        ? inProcess.preferences(presented)
        : fetchJson(Preferences, '/api/auth/app-switcher/preferences', headersOf(presented)),
    updatePreferences: (presented, edit) =>
      fetchJson(Preferences, '/api/auth/app-switcher/preferences', changingHeaders(presented), { sent: edit }),
    updateAppPreferences: (presented, { id, ...edit }) =>
      fetchJson(Preferences, `/api/auth/app-switcher/apps/${id}`, changingHeaders(presented), {
        sent: edit,
        refusals: [404],
      }),
    liveSessions: async (ids) => {
      const parts = partsOf(ids).map((part) =>
        requestAsService(listOf(LiveSession), `/api/internal/sessions?ids=${part.join(',')}`, {
          service: dashboardSlug,
        }),
      )
      return new Set((await Promise.all(parts)).flatMap(({ items }) => items.map(({ id }) => id)))
    },
    proveSecondFactor: async (userId, code) => {
      const path = `/api/internal/users/${userId}/second-factor-proof`
      await requestAsService(SecondFactorProof, path, {
        service: 'platform-pay',
        sent: { code },
        refusals: [422, 429],
      })
    },
    hasAccounts: async () => {
      if (accountsExist) return true
      const answer = await requestAsService(AccountsStatus, '/api/internal/has-accounts').catch(() => null)
      accountsExist = answer?.hasAccounts ?? false
      return answer?.hasAccounts ?? true
    },
  }
}
