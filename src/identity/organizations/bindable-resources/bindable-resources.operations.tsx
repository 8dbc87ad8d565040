import { operation } from '#lib/operation.ts'
import { listOf } from '#lib/paginate.ts'
import * as bindables from './bindable-resources.ts'
import { BindableQuery, BindableReportResult, BindableReports, BindableResource } from './contract.ts'

export const listBindableResources = operation({
  route: 'GET /api/services/:id/bindable-resources',
  summary: 'List resources that API keys can be bound to',
  permission: 'known',
  input: BindableQuery,
  output: listOf(BindableResource),
  run: ({ db, actor, input }) => bindables.list(db, actor, input),
})

export const reportBindableResources = operation({
  route: 'PUT /api/internal/bindable-resources',
  summary: 'Register resources that API keys can be bound to',
  permission: 'service',
  input: BindableReports,
  output: BindableReportResult,
  run: async (call) => ({ kept: await bindables.storeReports(call, call.input.items) }),
})
