import { z } from 'zod'
import { ignoreInvalid } from '#lib/text.ts'
import type { UnconnectedProps } from '#views/social/accounts/unconnected.tsx'
import { Provider } from '../contract.ts'

/** In the URL of a page to which a consent page led back without an account. */
export const Unconnected = {
  unconnected: ignoreInvalid(
    z.enum(['denied', 'partial', 'no_channel', 'other_account', 'expired', 'failed', 'unavailable']),
  ),
  network: ignoreInvalid(Provider),
  /** Scopes, separated by spaces. */
  missing: ignoreInvalid(z.string().regex(/^[\w.:/ -]{1,300}$/)),
}

export const unconnectedOf = ({
  unconnected: why,
  network,
  missing,
}: Partial<{ unconnected: UnconnectedProps['why']; network: Provider; missing: string }>): {
  unconnected: UnconnectedProps | null
} => ({
  unconnected: why && network ? { why, network, ...(missing && { missing }) } : null,
})
