export type { Export } from './exports/contract.ts'
