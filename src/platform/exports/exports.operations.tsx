import { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { notFound } from '#lib/errors.ts'
import { Id } from '#lib/ids.ts'
import { operation, type Operation } from '#lib/operation.ts'
import { reply } from '#lib/reply.ts'
import { Exports } from '#views/platform/exports.tsx'
import { Export, ExportList } from './contract.ts'
import * as exports from './exports.ts'
import type { ExportJob } from './exports.ts'

const requested = ({ row, isNew }: Awaited<ReturnType<typeof exports.requestExport>>) =>
  reply(201, row, {
    next: '/settings/export',
    toast: `${isNew ? 'Export started' : 'This export is already running'}. We’ll email you when it’s ready.`,
  })

/** A new export changes the list that the page shows. */
const showList = async (_: Export, { ask, actor }: Call<unknown, Actor>) => (
  <Exports list={await ask(listExports, {})} personId={actor.principal.id} />
)

export const listExports = operation({
  route: 'GET /api/exports',
  summary: 'List your exports',
  permission: 'signed-in',
  personal: false,
  input: z.object({}),
  output: ExportList,
  run: exports.listExports,
  view: (list, { actor }) => <Exports list={list} personId={actor.principal.id} />,
})

export const exportOperations = (job: ExportJob): Record<string, Operation> => ({
  exportOrganization: operation({
    route: 'POST /api/exports/organization',
    summary: 'Export an organization',
    permission: 'role:owner',
    creates: true,
    transaction: false,
    input: z.object({}),
    output: Export,
    problems: { export_running: 409, too_many_exports: 429 },
    view: showList,
    run: async (call) => {
      const { organization } = call.actor
      if (!organization) throw notFound('organization')
      return requested(await exports.requestExport(call, organization.id, job))
    },
  }),
  exportAccount: operation({
    route: 'POST /api/exports/account',
    summary: 'Export your data',
    permission: 'signed-in',
    creates: true,
    transaction: false,
    input: z.object({}),
    output: Export,
    problems: { too_many_exports: 429 },
    view: showList,
    run: async (call) => requested(await exports.requestExport(call, null, job)),
  }),
  listExports,
  getExport: operation({
    route: 'GET /api/exports/:id',
    summary: 'Get an export',
    permission: 'signed-in',
    personal: false,
    input: z.object({ id: Id }),
    output: Export,
    run: (call) => exports.findExport(call, call.input.id),
  }),
  downloadExport: operation({
    route: 'GET /api/exports/:id/file',
    summary: 'Download an export that is ready',
    permission: 'signed-in',
    personal: false,
    input: z.object({ id: Id }),
    output: z.null(),
    streams: 'application/zip',
    ranges: true,
    problems: { storage_unavailable: 503 },
    run: (call) => exports.downloadExport(call, call.input.id),
  }),
})
