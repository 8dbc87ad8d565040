export interface OfLogo {
  id: string
  logoSha256: string | null
}

/** Its query changes with the image, so that browsers can cache it for good. */
const logoUrlOf = ({ id, logoSha256 }: OfLogo): string | null =>
  logoSha256 && `/api/organizations/${id}/logo?sha256=${logoSha256}`

export const withLogoUrl = <Row extends OfLogo>({ logoSha256, ...row }: Row) => ({
  ...row,
  logoUrl: logoUrlOf({ id: row.id, logoSha256 }),
})
