/** The icons by name. The views declare them, in `views/ui/icon.tsx`. */
// oxlint-disable-next-line typescript/no-empty-object-type
export interface Icons {}
