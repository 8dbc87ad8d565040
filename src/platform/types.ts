export type { Export, ExportList } from './exports/contract.ts'
