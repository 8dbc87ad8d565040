import { logoUrlUnder } from '#lib/images/logo.ts'

export const withLogoUrl = logoUrlUnder('/api/organizations')
