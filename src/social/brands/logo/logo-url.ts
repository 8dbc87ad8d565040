interface OfLogo {
  id: string
  logoSha256: string | null
}

export type WithLogoUrl<Row extends OfLogo> = Omit<Row, 'logoSha256'> & { logoUrl: string | null }

/** Its query changes with the image, so that browsers can cache it for good. */
export const withLogoUrl = <Row extends OfLogo>({ logoSha256, ...row }: Row): WithLogoUrl<Row> => ({
  ...row,
  logoUrl: logoSha256 && `/api/brands/${row.id}/logo?sha256=${logoSha256}`,
})
