import { Icon } from '#views/ui/icon.tsx'

interface CrumbProps {
  app?: { id: string; name: string }
}

export const DevelopersCrumb = ({ app }: CrumbProps) => (
  <nav class="crumbs" aria-label="Breadcrumb">
    <a href="/developers">Apps</a>
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
