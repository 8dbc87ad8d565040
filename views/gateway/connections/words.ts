import type { AccountHealth, NetworkApp } from '#gateway/types'
import type { StatusLook } from '#views/ui/marks.tsx'

type AccountLook = StatusLook & { advice: string }

export const accountStates: Record<AccountHealth, AccountLook> = {
  healthy: { state: 'published', icon: 'circle-check', word: 'Healthy', advice: '' },
  signed_out: {
    state: 'failed',
    icon: 'circle-alert',
    word: 'Signed out',
    advice: 'Connect it again on the Accounts page.',
  },
  expired: {
    state: 'failed',
    icon: 'circle-alert',
    word: 'Expired',
    advice: 'Connect it again on the Accounts page.',
  },
  inactive: { state: 'draft', icon: 'circle-slash', word: 'Inactive', advice: '' },
}

/** Networks that need no client ID of ours. */
export const withoutClient: Record<Exclude<NetworkApp['credential'], 'oauth_client'>, string> = {
  registered: 'Registers itself at each server',
  app_password: 'Sign-in or app passwords of the accounts',
  webhook: 'Webhook URLs of the accounts',
  built_in: 'Built in, for development',
}
