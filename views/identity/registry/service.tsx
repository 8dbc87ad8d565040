import type { CatalogService, ServicePermission } from '#identity/types'
import { RoleMatrix } from './role-matrix.tsx'
import { ServiceEntry } from './service-entry.tsx'
import { ServiceScopes } from './service-scopes.tsx'

export interface ServiceViewProps {
  service: CatalogService
  permissions: ServicePermission[]
  /** How many living keys carry each scope. */
  keys: ReadonlyMap<string, number>
  /** Every role, the weakest first. */
  roles: readonly ServicePermission['roles'][number][]
}

/** One service of the registry: its entry, what can be permitted in it, and what roles carry. */
export const ServiceView = (props: ServiceViewProps) => (
  <div class="page stack" style="--measure: 60rem; --gap: var(--space-8)">
    <section class="section" aria-labelledby="service">
      <nav class="crumbs" aria-label="Breadcrumb">
        <a href="/admin/services">Services</a>
      </nav>
      <header>
        <div>
          <h2 id="service" class="wrap-anywhere" safe>
            {props.service.name}
          </h2>
          <p class="muted mono wrap-anywhere" safe>
            {props.service.slug}
          </p>
        </div>
      </header>
      <ServiceEntry service={props.service} />
    </section>
    <ServiceScopes {...props} />
    {props.permissions.length > 0 ? <RoleMatrix {...props} /> : null}
  </div>
)
