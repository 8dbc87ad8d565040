import type { RegisteredService } from '#identity/types'
import { Button } from '#views/ui/button.tsx'
import { Form } from '#views/ui/form.tsx'
import { roleName } from '../organizations/roles.ts'
import { inPlace } from './service-place.ts'

type Role = RegisteredService['permissions'][number]['roles'][number]

const roles: readonly Role[] = ['viewer', 'reviewer', 'editor', 'admin', 'owner']

export const RoleMatrix = ({ service }: { service: RegisteredService }) => (
  <section class="section" aria-labelledby="bundles">
    <header>
      <h2 id="bundles">Role permissions</h2>
      <p>Changes apply to all organizations immediately.</p>
    </header>
    <Form class="stack" hx-put={`/api/services/${service.id}/role-bundles`} {...inPlace}>
      {roles.map((role) => (
        <input type="hidden" name={`bundles.${role}[]`} value="" />
      ))}
      <div class="card">
        <table class="table role-matrix">
          <caption class="visually-hidden">Permissions by role</caption>
          <thead>
            <tr>
              <th scope="col">Permission</th>
              {roles.map((role) => (
                <th scope="col">
                  <span safe>{roleName(role)}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {service.permissions.map((permission) => (
              <tr>
                <th scope="row">
                  <span safe>{permission.description}</span>
                  <small class="muted">
                    <code class="wrap-anywhere" safe>
                      {permission.permission}
                    </code>
                  </small>
                </th>
                {roles.map((role) => (
                  <td>
                    <input
                      type="checkbox"
                      name={`bundles.${role}[]`}
                      value={permission.permission}
                      checked={permission.roles.includes(role)}
                      aria-label={`${roleName(role)} has ${permission.permission}`}
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div class="actions">
        <Button label="Save roles" type="submit" />
      </div>
    </Form>
  </section>
)
