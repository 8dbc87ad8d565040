import { serviceIdentityOf } from '#lib/service-identity.ts'

export const getServiceIdentity = serviceIdentityOf('platform-socialize')
