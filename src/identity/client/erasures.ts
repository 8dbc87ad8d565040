import { listOf } from '#lib/paginate.ts'
import { AccountErasure, OrganizationErasure } from '../deletion/contract.ts'
import type { IdentityClient } from './client.ts'
import type { Requests } from './requests.ts'

type Erasures = Pick<
  IdentityClient,
  'organizationsToErase' | 'reportErased' | 'accountsToErase' | 'reportAccountErased'
>

export function createErasures({ requestAsService }: Requests): Erasures {
  return {
    organizationsToErase: async (service) => {
      const path = '/api/internal/organization-erasures'
      const { items } = await requestAsService(listOf(OrganizationErasure), path, { service })
      return items.map(({ organizationId }) => organizationId)
    },
    reportErased: async (service, organizationId) => {
      const path = `/api/internal/organization-erasures/${organizationId}`
      await requestAsService(OrganizationErasure, path, { service, sent: {} })
    },
    accountsToErase: async (service) => {
      const { items } = await requestAsService(listOf(AccountErasure), '/api/internal/account-erasures', { service })
      return items.map(({ userId }) => userId)
    },
    reportAccountErased: async (service, userId) => {
      await requestAsService(AccountErasure, `/api/internal/account-erasures/${userId}`, { service, sent: {} })
    },
  }
}
