import { z } from 'zod'
import { page } from '#lib/page.ts'
import { AccountDeletion, type AccountDeletionProps } from '#views/identity/deletion/account-deletion.tsx'
import {
  OrganizationDeletions,
  type OrganizationDeletionsProps,
} from '#views/identity/deletion/organization-deletions.tsx'
import { WaitingDeletion } from './contract.ts'
import { listOwnDeletions } from './organizations.ts'
import { accountDeletionPath, cancellationTokenOf, findDeletionByToken } from './pending.ts'

/** Members of an organization that is scheduled for deletion are redirected here. */
export const organizationDeletionPage = page({
  path: '/settings/organization/deletion',
  permission: 'signed-in',
  frame: 'settings',
  title: (): string => 'Deletion',
  query: z.object({}),
  load: async (call): Promise<OrganizationDeletionsProps> => ({
    deletions: z.array(WaitingDeletion).parse(await listOwnDeletions(call)),
  }),
  view: (props) => <OrganizationDeletions {...props} />,
})

/** The only page that a sign-in opens while the account is scheduled for deletion. */
export const accountDeletionPage = page({
  path: accountDeletionPath,
  permission: 'public',
  frame: 'door',
  title: 'Account deletion',
  query: z.object({}),
  load: async (call): Promise<AccountDeletionProps> => {
    const deletion = await findDeletionByToken(call.db, cancellationTokenOf(call), call.now())
    return { deletion: deletion ?? null }
  },
  view: (props) => <AccountDeletion {...props} />,
})
