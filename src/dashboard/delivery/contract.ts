export * from './chat/contract.ts'
export * from './preferences/contract.ts'
export * from './push/contract.ts'
