import type { OrganizationService } from '#identity/types'
import { Button } from '#views/ui/button.tsx'
import { Time } from '#views/ui/time.tsx'

interface OrganizationServicesProps {
  id: string
  services: OrganizationService[]
}

export const OrganizationServices = ({ id, services }: OrganizationServicesProps) => (
  <section class="section" aria-labelledby="services">
    <header>
      <h2 id="services">Services</h2>
      <small class="muted below">Members and API keys can only use enabled services</small>
    </header>
    <div class="card">
      <ul class="list" data-settings>
        {services.map((service) => (
          <OrganizationServiceRow id={id} service={service} />
        ))}
      </ul>
    </div>
  </section>
)

interface OrganizationServiceProps {
  id: string
  service: OrganizationService
}

export const OrganizationServiceRow = ({ id, service }: OrganizationServiceProps) => (
  <li id={`service-${service.id}`}>
    <span class="grow">
      <a class="wrap-anywhere" href={`/admin/services/${service.id}`} safe>
        {service.name}
      </a>
      <small>{service.grantedAt ? <Since at={service.grantedAt} /> : 'Not enabled'}</small>
    </span>
    <Switch id={id} service={service} />
  </li>
)

const Since = ({ at }: { at: string }) => (
  <>
    Since <Time at={at} form="day" />
  </>
)

const Switch = ({ id, service }: OrganizationServiceProps) => {
  const route = `/api/admin/organizations/${id}/services/${service.id}`
  const inPlace = { id: `switch-${service.id}`, 'hx-target': 'closest li', 'hx-swap': 'outerMorph' } as const
  return service.installed ? (
    <Button label="Disable" size="sm" hx-delete={route} {...inPlace} aria-label={`Disable ${service.name}`} />
  ) : (
    <Button label="Enable" size="sm" hx-put={route} {...inPlace} aria-label={`Enable ${service.name}`} />
  )
}
