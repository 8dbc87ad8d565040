import type { Call } from '#lib/call.ts'
import type { ProviderCredential } from './resolve.ts'

export type Checker = Pick<Call, 'config' | 'outbound' | 'upstreams' | 'signal'>

/** Null when the provider accepts the credential, else what is wrong, for people. It must change nothing there. */
export type FindFault = (call: Checker, credential: ProviderCredential) => Promise<string | null>
