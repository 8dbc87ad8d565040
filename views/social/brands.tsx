import { newBrandDialog } from '#views/shell/new-brand.tsx'
import { Avatar } from '#views/ui/avatar.tsx'
import { Button } from '#views/ui/button.tsx'

/** A brand as its list and its settings show it. */
export interface BrandLine {
  id: string
  name: string
  slug: string
  timeZone: string
  accounts: number
  posts: number
  scheduled: number
}

export interface BrandsProps {
  brands: BrandLine[]
  /** Whether the person may make one. */
  mayWrite: boolean
}

/** The brands of the organization. */
export const Brands = ({ brands, mayWrite }: BrandsProps) => (
  <>
    <header class="page-header">
      <h1>
        Brands
        <small class="muted">{brands.length}</small>
      </h1>
      {mayWrite ? (
        <div class="actions">
          <Button label="New brand" icon="plus" variant="primary" commandfor={newBrandDialog} command="show-modal" />
        </div>
      ) : null}
    </header>
    <div class="page">
      <div class="bleed">
        <table class="table" data-list>
          <caption class="visually-hidden">Brands</caption>
          <thead>
            <tr>
              <th scope="col">Brand</th>
              <th scope="col">Time zone</th>
              <th scope="col" data-num>
                Accounts
              </th>
              <th scope="col" data-num>
                Scheduled
              </th>
            </tr>
          </thead>
          <tbody>
            {brands.map((brand) => (
              <Row brand={brand} />
            ))}
          </tbody>
        </table>
      </div>
    </div>
  </>
)

const Row = ({ brand }: { brand: BrandLine }) => (
  <tr>
    <td data-at="title">
      <span class="row">
        <Avatar name={brand.name} seed={brand.id} shape="square" />
        <span class="grow">
          <a class="row-link wrap-anywhere" href={brandHref(brand)} safe>
            {brand.name}
          </a>
          <small class="narrow-only" safe>
            {brand.timeZone}
          </small>
        </span>
      </span>
    </td>
    <td class="wide-only" safe>
      {brand.timeZone}
    </td>
    <td class="wide-only" data-num>
      {brand.accounts}
    </td>
    <td data-at="end" data-num>
      {brand.scheduled}
      <small class="narrow-only"> scheduled</small>
    </td>
  </tr>
)

/** Where a brand's settings are. */
const brandHref = ({ id }: BrandLine): string => `/workspace/brands/${id}`
