import { z } from 'zod'
import { atLeast } from '#lib/actor.ts'
import { notFound } from '#lib/errors.ts'
import { page } from '#lib/page.ts'
import { Apps, type AppsProps } from '#views/identity/organizations/apps.tsx'
import { listAvailableApps, listInstalledApps } from './entitlements.operations.tsx'

export const appsPage = page({
  path: '/settings/apps',
  permission: 'role:viewer',
  frame: 'settings',
  icon: 'blocks',
  title: 'Apps',
  query: z.object({}),
  load: async ({ ask, actor }): Promise<AppsProps> => {
    if (!actor.organization) throw notFound('organization')
    const { id, role } = actor.organization
    const [installed, available] = await Promise.all([
      ask(listInstalledApps, { id }),
      atLeast(role, 'admin') ? ask(listAvailableApps, { id }) : null,
    ])
    return { organizationId: id, installed, available: available?.items ?? [] }
  },
  view: (props) => <Apps {...props} />,
})
