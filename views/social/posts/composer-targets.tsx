import type { Post, PostDetails, PostLimits, PostTarget } from '#social/types'
import { Notice } from '#views/ui/feedback.tsx'
import { Avatar } from '#views/ui/marks.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { ConnectMenuButton } from '../accounts/connect-menu.tsx'
import { accountName, networkNames } from './post-text.ts'

export interface Account {
  /** The ID of the account, with `/` and its ID for a Group within it. */
  value: string
  provider: Post['provider']
  /** Null for an edited post without one. */
  name: string | null
  warning: string | null
  firstComments: PostTarget['firstComments']
  limits: PostLimits
}

export const accountsOf = (targets: readonly PostTarget[]): Account[] =>
  targets.map(({ provider, target: { connectionId, groupId }, accountName: name, warning, firstComments, limits }) => ({
    value: groupId === undefined ? connectionId : `${connectionId}/${groupId}`,
    provider,
    name,
    warning,
    firstComments,
    limits,
  }))

export const accountOf = ({ id, provider, accountName: name, firstComments, limits }: PostDetails): Account => ({
  value: id,
  provider,
  name,
  warning: null,
  firstComments,
  limits: limits ?? noLimits,
})

const noLimits: PostLimits = {
  characters: 0,
  media: 0,
  title: null,
  videoTags: null,
  refusedCharacters: null,
  replies: { characters: 0, media: 0 },
  firstComment: null,
  linkPreview: null,
  urlCharacters: null,
  counting: 'graphemes',
  images: null,
  videos: null,
  documents: null,
  singleAnimation: false,
}

export interface TargetsProps {
  accounts: Account[]
  brand: { id: string; name: string }
  isFixed: boolean
  canConnect: boolean
}

export const Targets = ({ accounts, brand, isFixed, canConnect }: TargetsProps) => (
  <fieldset
    class="field"
    id="targets"
    aria-describedby="targets-error"
    // After an account was connected; `composer-accounts.js` keeps the choice.
    {...(canConnect && { 'hx-get': `/api/integrations?brandId=${brand.id}`, 'hx-trigger': 'accounts', ...replacingIt })}
  >
    <legend>Publish to</legend>
    <div class="targets">
      {accounts.map((account) => (
        <label class="chip">
          <input
            class="visually-hidden"
            type="checkbox"
            name="account"
            value={account.value}
            data-provider={account.provider}
            data-name={networkNames[account.provider]}
            data-label={accountName(account.provider, account.name)}
            data-limit={account.limits.characters}
            data-reply-limit={account.limits.replies?.characters}
            data-address={account.limits.urlCharacters ?? undefined}
            data-counting={account.limits.counting}
            data-media={account.limits.media}
            data-comments={account.firstComments}
            data-link-preview={account.limits.linkPreview ?? undefined}
            data-threads={account.limits.replies !== null}
            data-reply-media={account.limits.replies?.media}
            data-mixed={account.limits.videos?.mixed}
            data-single-animation={account.limits.singleAnimation}
            data-video-title={account.limits.title ?? undefined}
            data-video-tags={account.limits.videoTags ?? undefined}
            data-refused={account.limits.refusedCharacters ?? undefined}
            checked={isFixed || accounts.length === 1}
            disabled={isFixed}
          />
          <Avatar name={brand.name} seed={brand.id} network={account.provider} />
          <span class="visually-hidden" safe>{`${networkNames[account.provider]}: `}</span>
          <span class="truncate" safe>
            {accountName(account.provider, account.name)}
          </span>
        </label>
      ))}
      {canConnect ? <ConnectMenuButton brandId={brand.id} isFirst={accounts.length === 0} /> : null}
    </div>
    {accounts.length === 0 ? (
      <small>Write a draft now and connect an account later. The sandbox is a test network.</small>
    ) : null}
    {accounts.map(({ value, provider, name, warning }) =>
      warning === null ? (
        <></>
      ) : (
        // While it is chosen.
        <div data-account={value} hidden>
          <Notice tone="warning" title={accountName(provider, name)} text={warning} />
        </div>
      ),
    )}
    <p class="error" id="targets-error">
      <Icon name="circle-alert" />
      <span />
    </p>
  </fieldset>
)

const replacingIt = { 'hx-target': '#targets', 'hx-swap': 'outerHTML' } as const
