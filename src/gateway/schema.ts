export { gateway } from './schema/base.ts'
export * from './schema/budgets.ts'
export * from './schema/limits.ts'
export * from './schema/usage.ts'
