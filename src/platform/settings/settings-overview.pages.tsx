import { z } from 'zod'
import type { Context } from '#lib/context.ts'
import { page } from '#lib/page.ts'
import { SettingsOverview } from '#views/platform/settings-overview.tsx'
import { loadOverview } from './draw-overview.tsx'

/** All areas of the settings, as services declare their pages. */
export const settingsOverviewOf = (running: () => readonly Context[]) =>
  page({
    path: '/settings',
    permission: 'signed-in',
    frame: 'settings',
    icon: 'settings',
    title: 'Settings',
    keywords: 'preferences options account organization',
    query: z.object({}),
    load: (call) => loadOverview(running(), call),
    view: (props) => <SettingsOverview {...props} />,
  })
