import { Icon } from '#views/ui/icon.tsx'

interface CrumbProps {
  /** The app behind the page. */
  app?: { id: string; name: string }
}

/** The way back. */
export const DevelopersCrumb = ({ app }: CrumbProps) => (
  <nav class="crumbs" aria-label="Breadcrumb">
    <a href="/developers">Developers</a>
    {app ? (
      <>
        <Icon name="chevron-right" />
        <a class="wrap-anywhere" href={`/developers/apps/${app.id}?tab=actions`} safe>
          {app.name}
        </a>
      </>
    ) : null}
  </nav>
)
