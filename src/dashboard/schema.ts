export * from './schema/base.ts'
export * from './schema/layouts.ts'
export * from './schema/notifications.ts'
export * from './schema/workflows.ts'
