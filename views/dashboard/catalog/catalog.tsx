import type { Catalog, CatalogItem, CatalogQuery } from '#dashboard/types'
import { Button, ButtonLink } from '#views/ui/button.tsx'
import { Empty } from '#views/ui/feedback.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { listHref, Pager } from '#views/ui/lists.tsx'
import { Menu, MenuItem } from '#views/ui/overlays.tsx'
import { PageHeader } from '#views/ui/page-header.tsx'
import { PlanNotice } from '#views/ui/plan-notice.tsx'
import { AppCard, replacesCatalog } from './app-card.tsx'

const path = '/apps'

interface CatalogProps {
  catalog: Catalog
  query: CatalogQuery
}

export const CatalogPage = ({ catalog, query, role }: CatalogProps & { role: string | null }) => (
  <>
    <PageHeader title="Apps" />
    <div class="page stack" style="--gap: var(--space-8)">
      <PlanNotice standing={catalog.plan?.standing} role={role} />
      <Filters catalog={catalog} query={query} />
      <CatalogList catalog={catalog} query={query} />
    </div>
  </>
)

const views = { all: 'All', favorites: 'Favorites', hidden: 'Hidden' } as const
const viewNames = ['all', 'favorites', 'hidden'] as const

const Filters = ({ catalog, query: { q, view } }: CatalogProps) => (
  <div class="filters">
    <form
      role="search"
      aria-label="Apps"
      action={path}
      hx-get={path}
      hx-target="#main"
      hx-swap="innerMorph"
      hx-push-url="true"
      hx-sync="this:replace"
      hx-trigger="input changed delay:300ms from:#q, submit"
    >
      <input type="hidden" name="view" value={view} />
      <label class="input">
        <Icon name="search" />
        <input
          id="q"
          type="search"
          name="q"
          placeholder="Search apps"
          aria-label="Search apps"
          value={q}
          maxlength={200}
        />
      </label>
    </form>
    <nav class="segments" aria-label="Show">
      {viewNames.map((name) => (
        <a
          href={listHref(path, { q, view: name === 'all' ? undefined : name })}
          aria-current={name === view ? 'true' : undefined}
        >
          {views[name]}
        </a>
      ))}
    </nav>
    <Button label="Tile size" icon="layout-grid" variant="ghost" popovertarget="tile-size" />
    <Menu id="tile-size">
      {tileSizes.map((size) => (
        <MenuItem
          label={sizeNames[size]}
          chosen={size === catalog.tileSize}
          hx-put="/api/catalog/preferences"
          hx-vals={JSON.stringify({ tileSize: size })}
          {...replacesCatalog}
        />
      ))}
    </Menu>
  </div>
)

const tileSizes = ['small', 'medium', 'large'] as const
const sizeNames = { small: 'Small', medium: 'Medium', large: 'Large' } as const

/** Replaced by what a person changes in it. */
export const CatalogList = ({ catalog, query }: CatalogProps) => {
  const { items, nextCursor } = catalog
  const { cursor: _, limit, ...filter } = query
  return (
    <div
      class="stack"
      id="catalog"
      data-tiles={catalog.tileSize}
      style="--gap: var(--space-8)"
      hx-get={listHref(path, { ...filter, limit: String(limit) })}
      hx-trigger="undone from:document"
      hx-target="#main"
      hx-swap="innerMorph"
    >
      {items.length === 0 ? <NoApps query={query} /> : null}
      <Apps id="installed" title="Installed" items={items.filter(({ installed }) => installed)} />
      <Apps
        id="available"
        title="Available"
        aside={planText(catalog)}
        items={items.filter(({ installed }) => !installed)}
      />
      {nextCursor === null ? null : (
        <Pager
          label="More apps"
          summary={`${items.length} apps shown`}
          next={listHref(path, { ...filter, limit: String(limit), cursor: nextCursor })}
        />
      )}
    </div>
  )
}

/** Nothing for an unlimited plan. */
function planText({ plan }: Catalog): string | undefined {
  if (!plan || plan.left === null) return undefined
  return plan.left === 0
    ? 'No paid apps left in your plan'
    : `${plan.left} of ${plan.allowed} paid apps left in your plan`
}

interface AppsProps {
  id: string
  title: string
  aside?: string
  items: CatalogItem[]
}

/** With the groups of the registry as headings. */
const Apps = ({ id, title, aside, items }: AppsProps) => {
  if (items.length === 0) return <></>
  return (
    <section class="section" aria-labelledby={id}>
      <header>
        <h2 id={id} safe>
          {title}
        </h2>
        {aside ? <small safe>{aside}</small> : null}
      </header>
      {[...Map.groupBy(items, ({ group }) => group ?? 'Other')].map(([group, apps]) => (
        <div class="apps">
          <h3 safe>{group}</h3>
          {apps.map((app) => (
            <AppCard app={app} />
          ))}
        </div>
      ))}
    </section>
  )
}

const NoApps = ({ query: { q, view } }: Pick<CatalogProps, 'query'>) => {
  if (q)
    return (
      <Empty icon="search" title="No apps found" text="Search for another name or a word of the description.">
        <ButtonLink label="Clear search" href={listHref(path, { view: view === 'all' ? undefined : view })} />
      </Empty>
    )
  if (view === 'favorites')
    return (
      <Empty icon="star" title="No favorites yet" text="The star of an app puts it first in the app switcher.">
        <ButtonLink label="Show all apps" href={path} />
      </Empty>
    )
  if (view === 'hidden')
    return (
      <Empty icon="eye-off" title="No hidden apps" text="Apps that you hide are here, and not in the app switcher.">
        <ButtonLink label="Show all apps" href={path} />
      </Empty>
    )
  return <Empty icon="blocks" title="No apps yet" text="Apps that you can open in this account appear here." />
}
