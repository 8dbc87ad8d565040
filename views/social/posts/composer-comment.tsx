import type { Post } from '#social/types'
import { Notice } from '#views/ui/feedback.tsx'
import { Field } from '#views/ui/form.tsx'
import { accountName, networkNames } from './post-text.ts'
import type { Account } from './composer-targets.tsx'

interface CommentFieldProps {
  accounts: Account[]
  post: Post | null
}

/** What the accounts write below the post. Its script shows it while one of them that takes it is chosen. */
export const CommentField = ({ accounts, post }: CommentFieldProps) => {
  const hasOne = (post?.firstComment ?? null) !== null
  return (
    <>
      <div id="first-comment" data-kept={hasOne} hidden={!hasOne && takersOf(accounts).length === 0}>
        <Field
          label="First comment"
          id="firstComment"
          hint={`Optional. The account writes it below the post.${post ? '' : ' In a thread, below its first post.'}`}
        >
          <textarea
            class="input"
            id="firstComment"
            name="firstComment"
            rows="2"
            aria-describedby="firstComment-hint comment-rules firstComment-error"
            safe
          >
            {post?.firstComment ?? ''}
          </textarea>
        </Field>
      </div>
      <CommentRules accounts={accounts} post={post} />
    </>
  )
}

/** How long it can be, and why accounts take none. */
export const CommentRules = ({ accounts, post }: CommentFieldProps) => (
  <div class="stack" id="comment-rules" style="--gap: .75rem">
    <Counts accounts={takersOf(accounts)} />
    {accounts.map((account) =>
      account.firstComments === 'permission_missing' ? <Missing account={account} post={post} /> : <></>,
    )}
  </div>
)

/** Of each network that takes first comments the account with the lowest limit. */
const takersOf = (accounts: Account[]): Account[] => [
  ...new Map(
    accounts
      .filter(({ firstComments }) => firstComments === 'allowed')
      .toSorted((a, b) => (b.limits.firstComment?.characters ?? 0) - (a.limits.firstComment?.characters ?? 0))
      .map((account) => [account.provider, account]),
  ).values(),
]

const Counts = ({ accounts }: { accounts: Account[] }) => (
  <div class="row" data-wrap style="--gap: .5rem 1.25rem" role="group" aria-label="Characters of the first comment">
    {accounts.map(({ provider, limits }) => (
      <span
        class="count"
        data-provider={provider}
        data-limit={limits.firstComment?.characters}
        data-counting={limits.firstComment?.counting ?? limits.counting}
        // The only one is shown at once, so that nothing moves when the script counts.
        hidden={accounts.length > 1}
      >
        <i />
        <span safe>{networkNames[provider]}</span>
        <output />
      </span>
    ))}
  </div>
)

/** While the account is chosen. */
const Missing = ({ account: { value, provider, name }, post }: { account: Account; post: Post | null }) => {
  const id = post ? post.target?.connectionId : value
  return (
    <div data-account={value} hidden={post === null}>
      <Notice
        title={`No first comment on ${accountName(provider, name)}`}
        text={`${networkNames[provider]} needs a permission for it that wasn’t given when the account was connected.`}
      >
        {id === undefined ? null : (
          <div class="actions">
            <a class="button" data-size="sm" href={`/workspace/accounts/${id}`}>
              Reconnect with first comments
            </a>
          </div>
        )}
      </Notice>
    </div>
  )
}
