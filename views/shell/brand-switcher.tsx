import { Avatar } from '#views/ui/avatar.tsx'
import { Button } from '#views/ui/button.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { Menu, MenuItem, MenuLink } from '#views/ui/menu.tsx'
import { newBrandDialog } from './new-brand.tsx'
import { brandHref, type Shell, type ShellBrand } from './shell.ts'

/** The brand at hand, with the others and a new one behind it. */
export const BrandSwitcher = ({ shell }: { shell: Shell }) =>
  shell.brand ? <Switcher shell={shell} brand={shell.brand} /> : <FirstBrand shell={shell} />

const FirstBrand = ({ shell }: { shell: Shell }) =>
  shell.may.writeBrands ? <Button label="New brand" icon="plus" block {...opensDialog} /> : <></>

const Switcher = ({ shell, brand }: { shell: Shell; brand: ShellBrand }) => (
  <>
    <button type="button" class="switcher" data-framed popovertarget="brand-menu">
      <Avatar name={brand.name} seed={brand.id} shape="square" />
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
        {shell.brands.map((each) => (
          <BrandLink brand={each} current={each.id === brand.id} />
        ))}
      </>
      <hr />
      <MenuLink label="Brand settings" icon="settings" href={`/workspace/brands/${brand.id}`} />
      <MenuLink label="All brands" icon="list" href="/workspace/brands" />
      {shell.may.writeBrands ? <MenuItem label="New brand" icon="plus" {...opensDialog} /> : null}
    </Menu>
  </>
)

const BrandName = ({ brand }: { brand: ShellBrand }) => <span safe>{brand.name}</span>

const BrandLink = ({ brand, current }: { brand: ShellBrand; current: boolean }) => (
  <a href={brandHref('/workspace/posts', brand)} aria-current={current ? 'true' : undefined}>
    <Avatar name={brand.name} seed={brand.id} shape="square" />
    <span>
      <BrandName brand={brand} />
      <small safe>{brand.timeZone}</small>
    </span>
    {current ? <Icon name="check" /> : null}
  </a>
)

const opensDialog = { commandfor: newBrandDialog, command: 'show-modal' }
