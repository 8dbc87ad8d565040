import { z } from 'zod'
import { organizationOf } from '#lib/authorize.ts'
import { operation } from '#lib/operation.ts'
import { paging } from '#lib/paginate.ts'
import { AttributedAppList } from '../contract/access.ts'
import { nameApps } from '../names.ts'
import { dayOf } from '../usage/partitions.ts'
import { listAttributed } from './apps.ts'

export const listAttributedApps = operation({
  route: 'GET /api/apps',
  summary: 'List apps with usage',
  permission: 'apps:read',
  input: z.object(paging),
  output: AttributedAppList,
  run: async (call) => {
    const { actor, db, input, ledger, now } = call
    await ledger.settled()
    const month = `${dayOf(now()).slice(0, 7)}-01`
    const { items, nextCursor } = await listAttributed(db, {
      ...input,
      organizationId: organizationOf(actor, 'apps:read'),
      month,
    })
    const names = items.some(({ kind }) => kind === 'app') ? await nameApps(call) : new Map<string, string>()
    return {
      nextCursor,
      items: items.map(({ requests, costNanoUsd, ...app }) => ({
        ...app,
        name: (app.kind === 'app' && names.get(app.id)) || null,
        monthToDate: { requests, costNanoUsd },
      })),
    }
  },
})
