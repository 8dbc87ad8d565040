import { z } from 'zod'
import { page } from '#lib/page.ts'
import { Workspaces, type WorkspacesProps } from '#views/identity/organizations/workspaces.tsx'
import { whoAmI } from '../../accounts/current.ts'
import { WaitingDeletion } from '../../deletion/contract.ts'
import { listOwnDeletions } from '../../deletion/organizations.ts'

export const workspacesPage = page({
  path: '/settings/workspaces',
  permission: 'signed-in',
  frame: 'settings',
  title: 'Your organizations',
  query: z.object({}),
  load: async (call): Promise<WorkspacesProps> => {
    const { organization, organizations, user } = await whoAmI(call)
    return {
      here: organization?.id ?? null,
      organizations,
      deletions: z.array(WaitingDeletion).parse(await listOwnDeletions(call)),
      canCreate: user.principalType === 'user',
    }
  },
  view: (shown) => <Workspaces {...shown} />,
})
