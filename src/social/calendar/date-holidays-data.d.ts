/** The package has no types for its data. */
declare module 'date-holidays/data' {
  export const data: unknown
}
