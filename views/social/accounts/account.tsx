import type { Children } from '@kitajs/html'
import type { AccountHistory, ConnectionDetails, Integration, ListedPost } from '#social/types'
import { Button, ButtonLink } from '#views/ui/button.tsx'
import { Notice } from '#views/ui/feedback.tsx'
import { Icon, type IconName } from '#views/ui/icon.tsx'
import { Avatar } from '#views/ui/marks.tsx'
import { Menu } from '#views/ui/overlays.tsx'
import { PageHeader } from '#views/ui/page-header.tsx'
import { Time } from '#views/ui/time.tsx'
import { formatCounted } from '../brands/brand-counts.ts'
import { PostSiblings } from '../posts/post-siblings.tsx'
import { accountName, networkNames, type Place } from '../posts/post-text.ts'
import {
  AccountHealth,
  AccountLinks,
  canAddComments,
  Deactivate,
  DeactivateDialog,
  hasActions,
  needsConnecting,
  PauseButton,
  reconnecting,
  SandboxBadge,
} from './account-actions.tsx'
import { AccountHistoryView } from './account-history.tsx'
import { AccountQuotas } from './account-quotas.tsx'
import { ConnectDialog, opensConnect } from './connect-dialog.tsx'

export interface AccountProps {
  account: ConnectionDetails
  place: Place
  /** The next and the latest posts; null without permission to read posts. */
  due: ListedPost[] | null
  published: ListedPost[] | null
  history: AccountHistory
  /** When only connecting the account again restores it. */
  integration: Integration | null
}

/** One account of a brand. */
export const AccountView = (props: AccountProps) => (
  <div id="account">
    <AccountHeader {...props} />
    <div class="page split">
      <div class="stack" style="--gap: 2rem">
        <Trouble {...props} />
        <Paused {...props} />
        <Health {...props} />
        <AccountQuotas {...props} />
        <Posts title="Scheduled" posts={props.due} {...props} />
        <Posts title="Published" posts={props.published} {...props} />
        <AccountHistoryView accountId={props.account.id} history={props.history} zone={props.account.brandTimeZone} />
      </div>
      <aside>
        <Facts {...props} />
      </aside>
    </div>
  </div>
)

const AccountHeader = ({ account, integration }: AccountProps) => {
  const { provider, brandId, brandName } = account
  const name = accountName(provider, account.account.name)
  return (
    <PageHeader
      title={name}
      crumbs={[
        { href: `/workspace/accounts?brandId=${brandId}`, label: 'Accounts' },
        { href: `/workspace/accounts?brandId=${brandId}#network-${provider}`, label: networkNames[provider] },
      ]}
      mark={<Avatar name={brandName} seed={brandId} size="xl" network={provider} />}
      status={
        <>
          <SandboxBadge connection={account} />
          <AccountHealth connection={account} />
        </>
      }
    >
      {hasActions(account) ? (
        <div class="actions">
          <PauseButton connection={account} />
          <Button label="More actions" icon="ellipsis" iconOnly popovertarget="account-menu" />
          <Menu id="account-menu">
            <AccountLinks connection={account} />
            <Deactivate connection={account} />
          </Menu>
          {account.can.deactivate ? <DeactivateDialog connection={account} shownAs="page" /> : null}
        </div>
      ) : null}
      {integration ? (
        <ConnectDialog
          integration={integration}
          brand={{ id: brandId, name: brandName }}
          changing={{ 'hx-target': '#account', 'hx-swap': 'outerMorph' }}
          withComments={account.firstComments !== 'unavailable'}
        />
      ) : null}
    </PageHeader>
  )
}

/** Why nothing is published through it, and what to do. */
const Trouble = ({ account }: AccountProps) => {
  const { id, provider, active, health, can, scheduledPosts } = account
  if (active && health === 'ok')
    return account.warning === null ? <></> : <Notice tone="warning" text={account.warning} />
  const action = can.reconnect ? reconnecting(id, 'page') : needsConnecting(account) ? opensConnect(provider) : null
  const posts = scheduledPosts ? ` ${formatCounted(scheduledPosts, 'scheduled post')} can fail.` : ''
  return (
    <Notice
      tone={active ? 'danger' : 'warning'}
      title={active ? `${networkNames[provider]} signed this account out` : 'This account is deactivated'}
      text={`Nothing is published through it until it is reconnected.${posts}`}
    >
      {action ? (
        <div class="actions">
          <Button label="Reconnect" icon="plug" variant="primary" size="sm" {...action} />
        </div>
      ) : null}
    </Notice>
  )
}

/** Why its due posts wait. What holds for more than this account is resumed on the page of all accounts. */
const Paused = ({ account: { active, brandId, brandName, isPaused, pausedWith } }: AccountProps) => {
  const title = pausedWith && `Publishing is paused for ${pausedWith === 'organization' ? 'all brands' : brandName}`
  if (title === null)
    return active && isPaused ? (
      <Notice tone="warning" role="status" title="This account is paused" text="Its due posts wait until it resumes." />
    ) : (
      <></>
    )
  return (
    <Notice tone="warning" role="status" title={title} text="Due posts wait until publishing resumes.">
      <div class="actions">
        <ButtonLink label="View accounts" icon="plug" size="sm" href={`/workspace/accounts?brandId=${brandId}`} />
      </div>
    </Notice>
  )
}

const Health = ({ account, published, place }: AccountProps) => {
  const { active, health, expiresAt, scopes } = account
  const [last] = published ?? []
  const isWorking = active && health === 'ok'
  return (
    <section class="section" aria-labelledby="health">
      <h2 id="health">Health</h2>
      <ul class="list checks">
        <Check isFine={isWorking} title={isWorking ? 'Connected' : active ? 'Signed out' : 'Deactivated'}>
          {expiresAt ? (
            <>
              Its sign-in {Date.parse(expiresAt) < place.now.getTime() ? 'expired' : 'expires'} on{' '}
              <Time at={expiresAt} zone={place.zone} form="day" />
            </>
          ) : null}
        </Check>
        {scopes.length > 0 ? (
          <Check isFine icon="key-round" title={formatCounted(scopes.length, 'permission')}>
            {scopes.map((scope) => (
              <code class="wrap-anywhere" safe>{`${scope} `}</code>
            ))}
          </Check>
        ) : null}
        <Comments account={account} />
        {last?.publishedAt ? (
          <Check isFine title="Last post">
            <Time at={last.publishedAt} zone={place.zone} />
          </Check>
        ) : null}
      </ul>
    </section>
  )
}

const Comments = ({ account }: Pick<AccountProps, 'account'>) => {
  const { firstComments, provider } = account
  if (firstComments === 'unavailable') return <></>
  if (firstComments === 'allowed')
    return (
      <Check isFine title="First comments">
        Atrium can write them.
      </Check>
    )
  return (
    <Check
      isFine
      icon="info"
      title="No first comments"
      action={
        canAddComments(account) ? (
          <Button label="Reconnect with first comments" icon="plug" size="sm" {...opensConnect(provider)} />
        ) : undefined
      }
    >
      <span safe>{`${networkNames[provider]} needs one more permission for them.`}</span>
    </Check>
  )
}

interface CheckProps {
  isFine: boolean
  icon?: IconName
  title: string
  children: Children
  action?: JSX.Element
}

const Check = ({ isFine, icon = isFine ? 'circle-check' : 'triangle-alert', title, children, action }: CheckProps) => (
  <li data-state={isFine ? undefined : 'waiting'}>
    <Icon name={icon} />
    <span class="grow">
      <span safe>{title}</span>
      <small>{children}</small>
    </span>
    {action ? <>{action}</> : null}
  </li>
)

const Posts = ({ title, posts, place }: Pick<AccountProps, 'place'> & { title: string; posts: ListedPost[] | null }) =>
  posts && posts.length > 0 ? (
    <PostSiblings title={title} note="" posts={posts} by="text" current="" place={place} />
  ) : (
    <></>
  )

const Facts = ({ account }: AccountProps) => {
  const { brandName, provider, ownerId, ownerName, createdAt, signInEndsAt, brandTimeZone, limits } = account
  const places = { Pages: account.pages, Groups: account.groups, Organizations: account.organizations }
  return (
    <dl class="facts">
      <dt>Brand</dt>
      <dd class="wrap-anywhere" safe>
        {brandName}
      </dd>
      <dt>Network</dt>
      <dd safe>{networkNames[provider]}</dd>
      <dt>Connected</dt>
      <dd>
        <span class="row">
          {ownerName ? <Avatar name={ownerName} seed={ownerId} size="sm" labelled /> : null}
          <Time at={createdAt} zone={brandTimeZone} form="day" />
        </span>
      </dd>
      {signInEndsAt ? (
        <>
          <dt>Sign-in ends</dt>
          <dd>
            <Time at={signInEndsAt} zone={brandTimeZone} form="day" />
          </dd>
        </>
      ) : null}
      {limits ? (
        <>
          <dt>Allows</dt>
          <dd safe>{allowedText(limits)}</dd>
        </>
      ) : null}
      {Object.entries(places).map(([kind, all]) => (
        <Fact name={kind} values={all.map(({ name }) => name)} />
      ))}
      <dt>ID</dt>
      <dd>
        <code class="wrap-anywhere" safe>
          {account.account.id}
        </code>
      </dd>
    </dl>
  )
}

const allowedText = ({ characters, media }: NonNullable<ConnectionDetails['limits']>): string =>
  [`${characters.toLocaleString('en')} characters`, media > 0 ? formatCounted(media, 'image') : '']
    .filter(Boolean)
    .join(', ')

const Fact = ({ name, values }: { name: string; values: string[] }) =>
  values.length === 0 ? (
    <></>
  ) : (
    <>
      <dt safe>{name}</dt>
      <dd class="wrap-anywhere" safe>
        {values.join(', ')}
      </dd>
    </>
  )
