export * from './contract/credentials.ts'
export * from './contract/families.ts'
export * from './contract/limits.ts'
export { CatalogModel, Governance, ModelPreferences, ModelPrice, ModelSource, Route } from './contract/models.ts'
