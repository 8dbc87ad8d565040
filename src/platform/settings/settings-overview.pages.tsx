import { z } from 'zod'
import type { Context } from '#lib/context.ts'
import { scopeOf } from '#lib/http/routes.ts'
import { page } from '#lib/page.ts'
import { SettingsOverview } from '#views/platform/settings-overview.tsx'
import { areaOf, overviewPath } from '../shell/areas.ts'

/** All areas of the settings, as services declare their pages. */
export const settingsOverviewOf = (running: () => readonly Context[]) =>
  page({
    path: overviewPath,
    permission: 'signed-in',
    frame: 'settings',
    icon: 'settings',
    title: 'Settings',
    keywords: 'preferences options account organization',
    query: z.object({}),
    load: async (call) => {
      const { isOpen } = scopeOf(call.hosts, call.request.url.hostname)
      const { groups } = await areaOf(running().filter(isOpen), call, 'settings')
      return { groups: groups.filter(({ places }) => places.length > 0) }
    },
    view: (props) => <SettingsOverview {...props} />,
  })
