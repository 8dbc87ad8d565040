import type { Call } from '#lib/call.ts'
import { canAddComments, needsConnecting } from '#views/social/accounts/account-actions.tsx'
import { eventsPerPage } from '#views/social/accounts/account-history.tsx'
import type { AccountProps } from '#views/social/accounts/account.tsx'
import { listAccountHistory } from '../accounts/history/history.operations.tsx'
import { listIntegrations } from '../accounts/integrations.operations.tsx'
import type { ConnectionDetails } from '../contract.ts'
import { listPosts } from '../posts/posts.operations.tsx'
import { placeOfPost } from './place.ts'

/** What is shown of an account: its next and latest posts, which are null without `posts:read`, and how to connect it again. */
export async function loadAccountPage(
  call: Pick<Call, 'ask' | 'db'>,
  account: ConnectionDetails,
  cursor?: string,
): Promise<AccountProps> {
  const { id: accountId, brandId, provider } = account
  const ask = (status: 'scheduled' | 'published', order: 'soonest' | 'newest') =>
    account.scheduledPosts === null ? null : call.ask(listPosts, { brandId, accountId, status, order, limit: 3 })
  const [place, due, published, integrations, history] = await Promise.all([
    placeOfPost(call, account),
    ask('scheduled', 'soonest'),
    ask('published', 'newest'),
    needsConnecting(account) || canAddComments(account) ? call.ask(listIntegrations, { brandId }) : null,
    call.ask(listAccountHistory, { id: accountId, limit: eventsPerPage, cursor }),
  ])
  return {
    account,
    history,
    place,
    due: due?.items ?? null,
    published: published?.items ?? null,
    integration: integrations?.items.find((each) => each.provider === provider) ?? null,
  }
}
