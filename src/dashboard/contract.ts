export * from './grid/contract.ts'
