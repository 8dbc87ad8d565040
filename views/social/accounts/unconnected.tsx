import type { Integration } from '#social/types'
import { Notice } from '#views/ui/feedback.tsx'
import { networkNames } from '../posts/post-text.ts'

export interface UnconnectedProps {
  why: 'denied' | 'partial' | 'expired' | 'failed' | 'unavailable'
  network: Integration['provider']
  /** The permissions that were left out. */
  missing?: string
}

/** After a return from a network's consent page without a connected account. */
export const Unconnected = ({ why, network, missing }: UnconnectedProps) => {
  const name = networkNames[network]
  const reasons = {
    denied: `Access to ${name} was denied.`,
    partial: `Some permissions were left out${missing ? `: ${missing.split(' ').join(', ')}` : ''}. Atrium needs all of them.`,
    expired: 'The connection request expired or was already used.',
    failed: `${name} returned an error.`,
    unavailable: 'The provider gateway, which completes connections, isn’t available right now.',
  }
  return (
    <Notice
      tone="warning"
      role="alert"
      title={`Couldn’t connect a ${name} account`}
      text={`${reasons[why]} Try again.`}
    />
  )
}
