import type { OrganizationService } from '#identity/types'
import { Button } from '#views/ui/button.tsx'
import { Time } from '#views/ui/time.tsx'
import type { AdminOrganizationProps } from '../admin/organization.tsx'

/** Which services an organization has; giving one takes it back, and the reverse. */
export const OrganizationServices = ({
  organization,
  services,
}: Pick<AdminOrganizationProps, 'organization' | 'services'>) => (
  <section class="section" aria-labelledby="services">
    <h2 id="services">Services</h2>
    <p class="muted">Members and API keys can only use enabled services.</p>
    <ul class="list">
      {services.map((service) => (
        <li>
          <span class="grow">
            <a class="wrap-anywhere" href={`/admin/services/${service.id}`} safe>
              {service.name}
            </a>
            <small>{service.grantedAt ? <Since at={service.grantedAt} /> : 'Not enabled'}</small>
          </span>
          <Act route={`/api/admin/organizations/${organization.id}/services/${service.id}`} service={service} />
        </li>
      ))}
    </ul>
  </section>
)

const Since = ({ at }: { at: string }) => (
  <>
    Since <Time at={at} zone="UTC" form="day" />
  </>
)

const Act = ({ route, service }: { route: string; service: OrganizationService }) =>
  service.installed ? (
    <Button label="Disable" size="sm" hx-delete={route} hx-swap="none" aria-label={`Disable ${service.name}`} />
  ) : (
    <Button label="Enable" size="sm" hx-put={route} hx-swap="none" aria-label={`Enable ${service.name}`} />
  )
