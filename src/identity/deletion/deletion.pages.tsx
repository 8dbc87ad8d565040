import { z } from 'zod'
import { nullFor404 } from '#lib/errors.ts'
import { page } from '#lib/page.ts'
import { reply } from '#lib/reply.ts'
import { AccountDeletion } from '#views/identity/deletion/account-deletion.tsx'
import { ScheduledDeletions } from '#views/identity/deletion/organization-deletions.tsx'
import { accountDeletionPath } from './contract.ts'
import { getAccountDeletion, listOrganizationDeletions } from './deletion.operations.tsx'

/** Members of an organization that is scheduled for deletion are redirected here. */
export const organizationDeletionPage = page({
  path: '/settings/organization/deletion',
  permission: 'signed-in',
  frame: 'settings',
  title: (): string => 'Deletion',
  query: z.object({}),
  load: ({ ask }) => ask(listOrganizationDeletions, {}),
  view: ({ items }) => <ScheduledDeletions deletions={items} />,
})

/** The only page that a sign-in opens while the account is scheduled for deletion. */
export const accountDeletionPage = page({
  path: accountDeletionPath,
  limit: 'sign-in',
  permission: 'public',
  frame: 'door',
  title: 'Account deletion',
  query: z.object({}),
  load: async ({ ask }) => reply(200, { deletion: await ask(getAccountDeletion, {}).catch(nullFor404) }),
  view: (props) => <AccountDeletion {...props} />,
})
