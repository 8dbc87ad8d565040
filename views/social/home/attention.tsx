import type { Connection, ListedPost, RequestedChange } from '#social/types'
import { ButtonLink } from '#views/ui/button.tsx'
import { Badge, NetworkMark } from '#views/ui/marks.tsx'
import { Time } from '#views/ui/time.tsx'
import { accountHref } from '../accounts/account-actions.tsx'
import { accountName, excerpt, networkNames, postHref, reasonOf } from '../posts/post-text.ts'
import { nameOf } from '../review/review-text.ts'
import type { HomeProps } from './props.ts'

/** What people have to solve; absent when there is nothing. */
export const Attention = ({ dashboard: { attention }, place }: HomeProps) => {
  const { failedPosts, unreadyPosts, accounts, requestedChanges } = attention
  const count = failedPosts.length + unreadyPosts.length + (accounts?.length ?? 0) + (requestedChanges?.length ?? 0)
  if (count === 0) return <></>
  return (
    <section class="section" aria-labelledby="home-attention">
      <header>
        <h2 id="home-attention">Needs attention</h2>
        <Badge label={String(count)} tone="danger" count />
      </header>
      <div class="card">
        <ul class="list" data-wrap style="--pad: 1rem">
          {accounts?.map((account) => (
            <AccountItem account={account} />
          ))}
          {failedPosts.map((post) => (
            <PostItem post={post} title="Not published" reason={reasonOf(post, place) ?? ''} zone={place.zone} />
          ))}
          {unreadyPosts.map((post) => (
            <PostItem
              post={post}
              title="Won’t be published as it is"
              reason={post.readiness?.reasons[0]?.message ?? ''}
              zone={place.zone}
            />
          ))}
          {requestedChanges?.map((request) => (
            <RequestedChangeItem request={request} zone={place.zone} />
          ))}
        </ul>
      </div>
    </section>
  )
}

const AccountItem = ({ account }: { account: Connection }) => (
  <li>
    <NetworkMark network={account.provider} label={networkNames[account.provider]} />
    <span class="grow">
      <b class="wrap-anywhere" safe>
        {accountName(account.provider, account.account.name)}
      </b>
      <small class="muted" safe>
        {account.health === 'ok' ? account.warning : `${networkNames[account.provider]} no longer accepts its sign-in.`}
      </small>
    </span>
    <ButtonLink label={account.health === 'ok' ? 'Open' : 'Reconnect'} size="sm" href={accountHref(account)} />
  </li>
)

const RequestedChangeItem = ({ request: { post, by, comment, at }, zone }: RequestedChangeProps) => (
  <li>
    <NetworkMark network={post.provider} label={networkNames[post.provider]} />
    <span class="grow">
      <b class="clamp" safe>
        {excerpt(post.text, 80) || 'Post without text'}
      </b>
      <small class="muted wrap-anywhere">
        <span safe>{`Changes requested by ${nameOf(by)}, `}</span>
        <Time at={at} zone={zone} />
        {comment ? <span safe>{`: ${excerpt(comment, 160)}`}</span> : null}
      </small>
    </span>
    <ButtonLink label="Open" size="sm" href={postHref(post)} />
  </li>
)

interface RequestedChangeProps {
  request: RequestedChange
  zone: string
}

interface PostItemProps {
  post: ListedPost
  title: string
  reason: string
  zone: string
}

const PostItem = ({ post, title, reason, zone }: PostItemProps) => (
  <li>
    <NetworkMark network={post.provider} label={networkNames[post.provider]} />
    <span class="grow">
      <b class="clamp" safe>
        {excerpt(post.text, 80) || 'Post without text'}
      </b>
      <small class="muted wrap-anywhere">
        <span safe>{`${title}, ${post.status === 'failed' ? 'planned for' : 'due'} `}</span>
        <Time at={post.scheduledAt ?? post.createdAt} zone={zone} />
        {reason === '' ? null : <span safe>{`: ${reason}`}</span>}
      </small>
    </span>
    <ButtonLink label="Open" size="sm" href={postHref(post)} />
  </li>
)
