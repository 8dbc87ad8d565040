import type { CatalogService } from '#identity/types'

export const kinds: { value: CatalogService['surface_kind']; label: string }[] = [
  { value: 'app', label: 'App' },
  { value: 'api', label: 'API' },
  { value: 'runtime', label: 'Runtime' },
  { value: 'internal', label: 'Internal' },
]

export const kindName = (kind: CatalogService['surface_kind']): string =>
  kinds.find(({ value }) => value === kind)?.label ?? kind
