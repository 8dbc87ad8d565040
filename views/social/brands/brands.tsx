import type { Brand, BrandList } from '#social/types'
import { formatCount } from './brand-counts.ts'
import { newBrandDialog } from './brand-switcher.tsx'
import { Avatar } from '#views/ui/marks.tsx'
import { Button } from '#views/ui/button.tsx'
import { MoreRows } from '#views/ui/lists.tsx'

export const Brands = (list: BrandList) => (
  <>
    <header class="page-header">
      <h1>
        Brands
        <small class="muted">{list.total}</small>
      </h1>
      {list.can.create ? (
        <div class="actions">
          <Button label="New brand" icon="plus" variant="primary" commandfor={newBrandDialog} command="show-modal" />
        </div>
      ) : null}
    </header>
    <div class="page">
      <div class="bleed">
        <BrandTable {...list} />
      </div>
    </div>
  </>
)

export const BrandTable = ({ items, nextCursor, total }: BrandList) => (
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
      {items.map((brand) => (
        <Row brand={brand} />
      ))}
    </tbody>
    {nextCursor ? (
      <MoreRows
        label="More brands"
        summary={`${total} in total`}
        next={`/workspace/brands?cursor=${nextCursor}`}
        columns={4}
      />
    ) : null}
  </table>
)

const Row = ({ brand }: { brand: Brand }) => (
  <tr>
    <td data-at="title">
      <span class="row">
        <Avatar name={brand.name} seed={brand.id} image={brand.logoUrl} shape="square" />
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
    <td class="wide-only" data-num safe>
      {formatCount(brand.counts.accounts)}
    </td>
    <td data-at="end" data-num>
      <span safe>{formatCount(brand.counts.scheduled)}</span>
      <small class="narrow-only"> scheduled</small>
    </td>
  </tr>
)

const brandHref = ({ id }: Brand): string => `/workspace/brands/${id}`
