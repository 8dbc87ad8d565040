import type { Module } from '#lib/module.ts'
import * as operations from './admin.operations.tsx'
import * as pages from './admin.pages.tsx'
import * as contract from './contract.ts'

/** Of the dashboard, where the inbox of the website is. */
export const adminCheckoutsModule: Module = {
  operations: [operations],
  pages: [pages],
  contracts: [{ AdminCheckout: contract.AdminCheckout }],
}
