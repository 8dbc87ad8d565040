import type { RegisteredService } from '#identity/types'
import { Icon } from '#views/ui/icon.tsx'
import { RoleMatrix } from './role-matrix.tsx'
import { ServiceEntry } from './service-entry.tsx'
import { servicePlace } from './service-place.ts'
import { ServiceScopes } from './service-scopes.tsx'

export interface ServiceViewProps {
  service: RegisteredService
}

export const ServiceView = (props: ServiceViewProps) => <ServiceSections {...props} />

/** Its entry, its permissions, and the roles that have them. */
export const ServiceSections = ({ service }: ServiceViewProps) => (
  <div id={servicePlace}>
    <header class="page-header">
      <nav class="crumbs" aria-label="Breadcrumb">
        <a href="/admin/services">Services</a>
      </nav>
      <span class="app-mark" data-tone="plain">
        <Icon name="layout-grid" />
      </span>
      <h1 id="service" class="wrap-anywhere">
        <span safe>{service.name}</span>
        <small class="mono muted" safe>
          {service.slug}
        </small>
      </h1>
    </header>
    <div class="page settings" style="--measure: 80rem">
      <section class="section" aria-labelledby="entry">
        <header>
          <h2 id="entry">Entry</h2>
          <p>What people see in the app switcher and in the catalog.</p>
        </header>
        <div class="card">
          <div class="body">
            <ServiceEntry service={service} />
          </div>
        </div>
      </section>
      <ServiceScopes service={service} />
      {service.permissions.length > 0 ? <RoleMatrix service={service} /> : null}
    </div>
  </div>
)
