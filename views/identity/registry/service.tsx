import type { RegisteredService } from '#identity/types'
import { RoleMatrix } from './role-matrix.tsx'
import { ServiceEntry } from './service-entry.tsx'
import { servicePlace } from './service-place.ts'
import { ServiceScopes } from './service-scopes.tsx'

export interface ServiceViewProps {
  service: RegisteredService
}

export const ServiceView = (props: ServiceViewProps) => (
  <div class="page stack" style="--measure: 60rem">
    <ServiceSections {...props} />
  </div>
)

export const ServiceSections = ({ service }: ServiceViewProps) => (
  <div id={servicePlace} class="stack" style="--gap: var(--space-8)">
    <section class="section" aria-labelledby="service">
      <nav class="crumbs" aria-label="Breadcrumb">
        <a href="/admin/services">Services</a>
      </nav>
      <header>
        <div>
          <h1 id="service" class="wrap-anywhere" safe>
            {service.name}
          </h1>
          <p class="muted mono wrap-anywhere" safe>
            {service.slug}
          </p>
        </div>
      </header>
      <ServiceEntry service={service} />
    </section>
    <ServiceScopes service={service} />
    {service.permissions.length > 0 ? <RoleMatrix service={service} /> : null}
  </div>
)
