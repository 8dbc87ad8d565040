export * from './actions/contract.ts'
export * from './catalog/contract.ts'
export * from './grid/contract.ts'
export * from './widgets/contract.ts'
