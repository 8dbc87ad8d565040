import type { Post } from '#social/types'
import { Avatar } from '#views/ui/avatar.tsx'
import { accountName, networkNames } from './line.ts'

/** An account as the composer needs it. */
export interface Account {
  connectionId: string
  provider: Post['provider']
  /** Null for an edited post without one. */
  name: string | null
  /** The most characters that its network takes. */
  limit: number
  /** What each web address counts as there, whatever its length. */
  address?: number
  /** How many images it takes, and of which types and at most how many bytes, where that is known. */
  media: number
  images?: { types: readonly string[]; bytes: number }
}

interface TargetsProps {
  accounts: Account[]
  brand: { id: string; name: string }
  /** An edited post stays where it goes. */
  fixed: boolean
}

/** Where a post goes: each account is a switch. */
export const Targets = ({ accounts, brand, fixed }: TargetsProps) => (
  <fieldset class="field">
    <legend>Publish to</legend>
    <div class="targets">
      {accounts.map((account) => (
        <label class="chip">
          <input
            type="checkbox"
            name="account"
            value={account.connectionId}
            data-provider={account.provider}
            data-name={networkNames[account.provider]}
            data-media={account.media}
            data-image-types={account.images?.types.join(' ')}
            data-image-bytes={account.images?.bytes}
            checked={fixed || accounts.length === 1}
            disabled={fixed}
          />
          <Avatar name={brand.name} seed={brand.id} network={account.provider} />
          <span class="visually-hidden" safe>{`${networkNames[account.provider]}: `}</span>
          <span class="truncate" safe>
            {accountName(account.provider, account.name)}
          </span>
        </label>
      ))}
    </div>
  </fieldset>
)
