import { listHref } from '#views/ui/lists.tsx'

export interface MerchantsQuery {
  state?: 'active' | 'archived' | undefined
  limit: number
  cursor?: string
}

export const merchantsPath = '/pay/merchants'
export const merchantsRoute = '/api/merchants'
export const venuesRoute = '/api/venues'

export const merchantsHref = (state?: 'archived'): string => listHref(merchantsPath, { state })
