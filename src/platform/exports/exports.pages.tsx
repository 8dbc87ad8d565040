import { z } from 'zod'
import { page } from '#lib/page.ts'
import { ExportPage } from '#views/platform/exports.tsx'
import { listExports } from './exports.operations.tsx'

export const exportsPage = page({
  path: '/settings/export',
  permission: 'signed-in',
  frame: 'settings',
  icon: 'download',
  title: 'Export',
  summary: 'A copy of your data or of an organization’s.',
  keywords: 'download data gdpr',
  query: z.object({}),
  load: ({ ask }) => ask(listExports, {}),
  view: (list, { actor }) => <ExportPage list={list} personId={actor.principal.id} />,
})
