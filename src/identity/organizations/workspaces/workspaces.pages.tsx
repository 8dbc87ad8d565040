import { z } from 'zod'
import { page } from '#lib/page.ts'
import { organizationsPerPage, Workspaces, type WorkspacesProps } from '#views/identity/organizations/workspaces.tsx'
import { listOrganizations } from '../organizations.operations.tsx'

export const workspacesPage = page({
  path: '/settings/workspaces',
  permission: 'signed-in',
  frame: 'settings',
  icon: 'layers',
  title: 'Your organizations',
  summary: 'All organizations you belong to, and new ones.',
  keywords: 'switch household create',
  query: z.object({ cursor: z.string().max(500).optional() }),
  load: async ({ ask, actor, input: { cursor } }): Promise<WorkspacesProps> => {
    const { items, nextCursor } = await ask(listOrganizations, { limit: organizationsPerPage, cursor })
    return {
      organizations: items,
      nextCursor,
      isPersonal: actor.organization === null,
      canCreate: actor.principal.principalType === 'user',
    }
  },
  view: (props) => <Workspaces {...props} />,
})
