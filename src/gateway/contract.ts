export * from './contract/families.ts'
export * from './contract/limits.ts'
