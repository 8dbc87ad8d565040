export type * from './contract.ts'
export type * from './sandbox/contract.ts'
