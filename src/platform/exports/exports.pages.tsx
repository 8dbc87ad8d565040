import { z } from 'zod'
import { atLeast } from '#lib/actor.ts'
import { page } from '#lib/page.ts'
import { Exports, type ExportsProps } from '#views/platform/exports.tsx'
import { presentedBy } from '#identity'
import { listExports } from './exports.operations.ts'

export const exportsPage = page({
  path: '/settings/export',
  permission: 'signed-in',
  frame: 'settings',
  title: 'Export',
  query: z.object({}),
  load: async (call): Promise<ExportsProps> => {
    const { organization, onlyIn } = call.actor
    const me = await call.identity.me(presentedBy(call.request))
    const mayExport = organization !== null && atLeast(organization.role, 'owner')
    return {
      personId: call.actor.principal.id,
      exports: (await call.ask(listExports, {})).items,
      organizations: me.organizations,
      organization: mayExport ? (me.organization?.name ?? null) : null,
      mayExportAccount: !onlyIn,
    }
  },
  view: (shown) => <Exports {...shown} />,
})
