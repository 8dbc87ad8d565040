import type { CatalogItem } from '#dashboard/types'
import { launching } from '#views/ui/launching.ts'
import { Button, ButtonLink } from '#views/ui/button.tsx'
import { Form } from '#views/ui/form.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { appIcon } from '#views/ui/marks.tsx'
import { Dialog, DialogButtons, MenuItem, RowMenu } from '#views/ui/overlays.tsx'

export const replacesCatalog = { 'hx-target': '#catalog', 'hx-swap': 'outerMorph' } as const

const problemPlaceOf = ({ id }: CatalogItem): string => `problem-${id}`

interface AppCardProps {
  app: CatalogItem
}

export const AppCard = ({ app }: AppCardProps) => (
  <article class="card app-card" id={`app-${app.id}`} aria-labelledby={`name-${app.id}`}>
    <div class="row">
      <span class="app-mark" data-tone="plain" data-size="lg">
        <Icon name={appIcon(app.icon)} />
      </span>
      <span class="grow">
        <h4 id={`name-${app.id}`} class="wrap-anywhere" safe>
          {app.name}
        </h4>
        <small safe>{kindText(app)}</small>
      </span>
      <FavoriteButton app={app} />
    </div>
    <p safe>{app.description}</p>
    <div class="form-problem" id={problemPlaceOf(app)} />
    <footer>
      <MainAction app={app} />
      <Menu app={app} />
    </footer>
    {app.can.uninstall ? <UninstallDialog app={app} /> : null}
  </article>
)

function kindText({ firstParty, paid, covered }: CatalogItem): string {
  if (!firstParty) return 'Third party'
  if (!paid) return 'Free'
  return covered ? 'Included in your plan' : 'Needs a larger plan'
}

const savePreferences = ({ id }: CatalogItem, change: Record<string, boolean>) => ({
  'hx-put': `/api/catalog/${id}/preferences`,
  'hx-vals': JSON.stringify(change),
  ...replacesCatalog,
})

const FavoriteButton = ({ app }: AppCardProps) => (
  <Button
    label={`Favorite: ${app.name}`}
    icon="star"
    iconOnly
    variant="ghost"
    size="sm"
    aria-pressed={String(app.favorite)}
    {...savePreferences(app, { favorite: !app.favorite })}
  />
)

const MainAction = ({ app }: AppCardProps) => {
  if (app.can.launch && app.webUrl !== null)
    return (
      <ButtonLink
        label="Open"
        icon="arrow-up-right"
        size="sm"
        href={`/launch/${app.id}`}
        aria-label={`Open ${app.name}`}
        {...launching({ app: app.id, surface: 'catalog', problem: problemPlaceOf(app) })}
      />
    )
  if (app.can.install)
    return (
      <Form hx-post={`/api/catalog/${app.id}/install`} {...replacesCatalog}>
        <Button label="Install" aria-label={`Install ${app.name}`} variant="primary" size="sm" type="submit" />
      </Form>
    )
  if (!app.covered) return <ButtonLink label="See plan" size="sm" href="/settings/organization#plan" />
  return app.installed ? <small>Ask an admin for access</small> : <small>Ask an admin to install it</small>
}

const Menu = ({ app }: AppCardProps) => (
  <RowMenu id={`menu-${app.id}`} label={`More actions: ${app.name}`}>
    <MenuItem
      label={app.hidden ? 'Show' : 'Hide'}
      icon={app.hidden ? 'eye' : 'eye-off'}
      {...savePreferences(app, { hidden: !app.hidden })}
    />
    {app.can.uninstall ? (
      <>
        <hr />
        <MenuItem label="Uninstall" icon="trash-2" danger commandfor={`uninstall-${app.id}`} command="show-modal" />
      </>
    ) : null}
  </RowMenu>
)

const UninstallDialog = ({ app }: AppCardProps) => {
  const id = `uninstall-${app.id}`
  return (
    <Dialog id={id} title={`Uninstall ${app.name}?`}>
      <Form hx-delete={`/api/catalog/${app.id}/install`} {...replacesCatalog}>
        <div class="body">
          <p>Members and API keys lose access to it. Its data is kept in case you install it again.</p>
        </div>
        <DialogButtons dialog={id} submit="Uninstall" danger focusCancel />
      </Form>
    </Dialog>
  )
}
