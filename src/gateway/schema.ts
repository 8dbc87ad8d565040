export { gateway } from './schema/base.ts'
export * from './schema/limits.ts'
