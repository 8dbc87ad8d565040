import type { BrandInMenu, BrandSummary, CurrentBrand } from '#social/types'
import { Avatar } from '#views/ui/marks.tsx'
import { Button } from '#views/ui/button.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { Menu, MenuItem, MenuLink, Dialog, DialogButtons } from '#views/ui/overlays.tsx'
import { TextField, Form, ZoneField } from '#views/ui/form.tsx'
import { listHref } from '#views/ui/lists.tsx'
import { FirstSteps } from '../first-steps.tsx'

export const newBrandDialog = 'new-brand'

export const brandHref = (path: string, brand: Pick<BrandSummary, 'id'> | null): string =>
  brand ? `${path}?brandId=${brand.id}` : path

interface BrandSwitcherProps extends CurrentBrand {
  canListPosts?: boolean
  /** The page that the other brands have, too: choosing one stays on it. */
  page?: BrandPage
}

export interface BrandPage {
  path: string
  /** What it shows of each brand, such as the month of the calendar. */
  query: Record<string, string>
}

/** The current brand, with a menu of the others. */
export const BrandSwitcher = ({ brands, brand, can, canListPosts = true, page }: BrandSwitcherProps) =>
  brand ? (
    <Switcher brands={brands} brand={brand} can={can} canListPosts={canListPosts} page={page} />
  ) : can.createBrand ? (
    <Button label="New brand" icon="plus" block {...opensDialog} />
  ) : (
    <></>
  )

const Switcher = ({ brands, brand, can, canListPosts, page }: BrandSwitcherProps & { brand: BrandInMenu }) => (
  <>
    <button type="button" class="switcher" data-framed popovertarget="brand-menu">
      <BrandMark brand={brand} />
      <span>
        <strong>
          <span class="visually-hidden">Brand: </span>
          <BrandName brand={brand} />
        </strong>
        <small safe>{brand.timeZone}</small>
      </span>
      <Icon name="chevrons-up-down" />
    </button>
    <Menu id="brand-menu">
      <h3>Brands</h3>
      <>
        {brands.map((each) => (
          <BrandLink
            brand={each}
            current={each.id === brand.id}
            page={page ?? { path: canListPosts ? '/workspace/posts' : '/workspace/accounts', query: {} }}
          />
        ))}
      </>
      <hr />
      {canListPosts ? (
        <>
          <MenuLink label="Brand settings" icon="settings" href={`/workspace/brands/${brand.id}`} />
          <MenuLink label="All brands" icon="list" href="/workspace/brands" />
        </>
      ) : null}
      {can.createBrand ? <MenuItem label="New brand" icon="plus" {...opensDialog} /> : null}
    </Menu>
  </>
)

type MarkedBrand = Pick<BrandInMenu, 'id' | 'name' | 'logoUrl'>

const BrandMark = ({ brand: { id, name, logoUrl } }: { brand: MarkedBrand }) => (
  <Avatar name={name} seed={id} image={logoUrl} shape="square" />
)

/** Updates the current brand's logo in the frame. */
export const ChangedBrandInFrame = ({ brand }: { brand: MarkedBrand }) => (
  <>
    {['.switcher[popovertarget=brand-menu]', '#brand-menu > a[aria-current]'].map((place) => (
      <hx-partial hx-target={`${place} > .avatar`} hx-swap="outerHTML">
        <BrandMark brand={brand} />
      </hx-partial>
    ))}
  </>
)

const BrandName = ({ brand }: { brand: BrandSummary }) => <span safe>{brand.name}</span>

const BrandLink = ({ brand, current, page }: { brand: BrandInMenu; current: boolean; page: BrandPage }) => (
  <a href={listHref(page.path, { brandId: brand.id, ...page.query })} aria-current={current ? 'true' : undefined}>
    <BrandMark brand={brand} />
    <span>
      <BrandName brand={brand} />
      <small safe>{brand.timeZone}</small>
    </span>
    {current ? <Icon name="check" /> : null}
  </a>
)

const opensDialog = { commandfor: newBrandDialog, command: 'show-modal' }

export const NewBrandDialog = () => (
  <Dialog id={newBrandDialog} title="New brand">
    <Form hx-post="/api/brands">
      <div class="body">
        <BrandFields prefix="new-brand" />
      </div>
      <DialogButtons dialog={newBrandDialog} submit="Create brand" />
    </Form>
  </Dialog>
)

export const FirstBrand = () => (
  <>
    <header class="page-header">
      <h1>Create your first brand</h1>
    </header>
    <div class="page" style="--measure: 36rem">
      <div class="stack">
        <FirstSteps page="brand" brand={null} hasAccount={false} />
        <p class="muted prose">
          A brand groups the accounts and posts of a company, shop or person. Its time zone is used for scheduling.
        </p>
        <Form class="stack" hx-post="/api/brands">
          <BrandFields prefix="first-brand" />
          <div class="actions">
            <Button label="Create brand" variant="primary" type="submit" />
          </div>
        </Form>
      </div>
    </div>
  </>
)

const BrandFields = ({ prefix }: { prefix: string }) => (
  <>
    <TextField label="Name" name="name" id={`${prefix}-name`} required autofocus maxlength={80} autocomplete="off" />
    <ZoneField label="Time zone" name="timeZone" id={`${prefix}-zone`} />
  </>
)
