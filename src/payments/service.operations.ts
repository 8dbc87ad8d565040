import { serviceIdentityOf } from '#lib/service-identity.ts'

export const getPaymentsServiceIdentity = serviceIdentityOf('platform-pay')
