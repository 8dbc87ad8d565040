import { z } from 'zod'
import { ignoreInvalid } from '#lib/text.ts'
import type { UnconnectedProps } from '#views/social/accounts/unconnected.tsx'
import { Provider } from '../contract.ts'

/** In the URL of a page to which a consent page led back without an account. */
export const Unconnected = {
  unconnected: ignoreInvalid(z.enum(['denied', 'expired', 'failed', 'unavailable'])),
  network: ignoreInvalid(Provider),
}

export const unconnectedOf = ({
  unconnected: why,
  network,
}: Partial<{ unconnected: UnconnectedProps['why']; network: Provider }>): { unconnected: UnconnectedProps | null } => ({
  unconnected: why && network ? { why, network } : null,
})
