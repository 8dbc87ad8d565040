/** Of widgets, in columns of the grid. */
export const sizes = [
  { columns: 3, label: 'Small' },
  { columns: 4, label: 'Medium' },
  { columns: 5, label: 'Large' },
  { columns: 6, label: 'Half width' },
  { columns: 12, label: 'Full width' },
] as const

export const sizeName = (columns: number): string => sizes.find((size) => size.columns === columns)?.label ?? ''
