import type { ShellGroup, ShellPlace } from '#views/shell/shell.ts'
import { Icon } from '#views/ui/icon.tsx'
import { SettingsSection } from '#views/ui/settings.tsx'

interface SettingsOverviewProps {
  groups: readonly ShellGroup[]
}

export const SettingsOverview = ({ groups }: SettingsOverviewProps) => (
  <div class="page settings">
    {groups.map(({ title, places, hasOrganizations }) => (
      <SettingsSection
        id={hasOrganizations ? 'organization-settings' : 'own-settings'}
        title={title ?? ''}
        text={hasOrganizations ? 'For all members of the active organization.' : 'Only for you, in every organization.'}
      >
        <div class="card">
          <ul class="list" data-links aria-label={`Settings: ${title}`}>
            {places.map((place) => (
              <Place place={place} />
            ))}
          </ul>
        </div>
      </SettingsSection>
    ))}
  </div>
)

const Place = ({ place: { href, icon, label, summary } }: { place: ShellPlace }) => (
  <li>
    <Icon name={icon} />
    <span class="grow">
      <a class="row-link" href={href} safe>
        {label}
      </a>
      {summary ? <small safe>{summary}</small> : null}
    </span>
    <Icon name="chevron-right" />
  </li>
)
