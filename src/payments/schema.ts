export { payments } from './schema/base.ts'
export * from './schema/merchants.ts'
export * from './schema/orders.ts'
export * from './schema/payments.ts'
