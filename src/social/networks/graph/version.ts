import type { ApiVersion } from '../network.ts'

/** Of the Graph API, released on 29 May 2025: Meta supports versions for two years. */
export const apiVersion: ApiVersion = { name: 'v23.0', endsOn: '2027-05-29' }
