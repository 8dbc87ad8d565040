import { z } from 'zod'
import { page } from '#lib/page.ts'
import { AccountDeletion, type AccountDeletionProps } from '#views/identity/account-deletion.tsx'
import { OrganizationDeletions, type OrganizationDeletionsProps } from '#views/identity/organization-deletions.tsx'
import { WaitingDeletion } from './contract.ts'
import { listOwnDeletions } from './organizations.ts'
import { accountDeletionPath, cancellationTokenOf, findDeletionByToken } from './pending.ts'

/** Where people come who would work in an organization that waits for its deletion. */
export const organizationDeletionPage = page({
  path: '/settings/organization/deletion',
  permission: 'signed-in',
  frame: 'settings',
  title: (): string => 'Deletion',
  query: z.object({}),
  load: async (call): Promise<OrganizationDeletionsProps> => ({
    deletions: z.array(WaitingDeletion).parse(await listOwnDeletions(call)),
  }),
  view: (shown) => <OrganizationDeletions {...shown} />,
})

/** All that signing in opens while an account waits for its deletion. */
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
  view: (shown) => <AccountDeletion {...shown} />,
})
