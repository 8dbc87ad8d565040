import { operation } from '#lib/operation.ts'
import { AdminCheckoutTable } from '#views/dashboard/checkout/admin.tsx'
import { AdminCheckoutFilter, AdminCheckoutList } from './contract.ts'
import { listCheckouts } from './list.ts'

export const listAdminCheckouts = operation({
  route: 'GET /api/admin/checkouts',
  summary: 'List checkouts of the website',
  permission: 'super-admin',
  input: AdminCheckoutFilter,
  output: AdminCheckoutList,
  run: ({ db, input }) => listCheckouts(db, input),
  view: (list, { input }) => <AdminCheckoutTable list={list} filter={input} />,
})
