import { serviceIdentityOf } from '#lib/service-identity.ts'

export const getDashboardServiceIdentity = serviceIdentityOf('platform-dashboard-api')
