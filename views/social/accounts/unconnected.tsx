import type { Integration } from '#social/types'
import { Notice } from '#views/ui/feedback.tsx'
import { networkNames } from '../posts/post-text.ts'

export interface UnconnectedProps {
  why: 'denied' | 'partial' | 'no_channel' | 'other_account' | 'expired' | 'failed' | 'unavailable'
  network: Integration['provider']
  /** The permissions that were left out. */
  missing?: string
}

/** Names of scopes that say little. */
const scopeNames: Readonly<Record<string, string>> = {
  'https://www.googleapis.com/auth/youtube.upload': 'manage your YouTube videos (youtube.upload)',
  'https://www.googleapis.com/auth/youtube.readonly': 'view your YouTube account (youtube.readonly)',
}

const describeScope = (scope: string): string => scopeNames[scope] ?? scope

/** After a return from a network's consent page without a connected account. */
export const Unconnected = ({ why, network, missing }: UnconnectedProps) => {
  const name = networkNames[network]
  const reasons = {
    denied: `Access to ${name} was denied.`,
    partial: `Some permissions were left out${missing ? `: ${missing.split(' ').map(describeScope).join(', ')}` : ''}. Atrium needs all of them.`,
    no_channel: `This Google account has no ${name} channel. Create one on ${name}, or choose another account.`,
    other_account: 'You signed in with another account than the one that you entered.',
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
