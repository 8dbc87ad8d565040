import type { RegisteredService } from '#identity/types'
import { PageHeader, PlainAppMark } from '#views/ui/page-header.tsx'
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
    <PageHeader
      title={service.name}
      crumbs={[{ href: '/admin/services', label: 'Services' }]}
      mark={<PlainAppMark icon={service.icon} />}
      status={
        <small class="mono muted" safe>
          {service.slug}
        </small>
      }
    />
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
