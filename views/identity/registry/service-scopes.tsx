import type { RegisteredService } from '#identity/types'
import { counted } from '#lib/text.ts'
import { Button } from '#views/ui/button.tsx'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'
import { TextField, Form } from '#views/ui/form.tsx'
import { Empty } from '#views/ui/feedback.tsx'
import { inPlace } from './service-place.ts'

interface ServiceProps {
  service: RegisteredService
}

export const ServiceScopes = (props: ServiceProps) => (
  <section class="section" aria-labelledby="permissions">
    <header>
      <h2 id="permissions">Permissions</h2>
      <p>What people and API keys can do in this service.</p>
      <div class="actions">
        <Button label="Add a permission" icon="plus" size="sm" commandfor={newScope} command="show-modal" />
      </div>
    </header>
    {props.service.permissions.length > 0 ? (
      <div class="card">
        <Table {...props} />
      </div>
    ) : (
      <Empty
        icon="list"
        small
        title="No permissions yet"
        text="Permissions define what people and API keys can do in this service."
      />
    )}
    <NewScope {...props} />
  </section>
)

const Table = (props: ServiceProps) => (
  <table class="table permissions" data-list>
    <caption class="visually-hidden">Permissions</caption>
    <thead>
      <tr>
        <th scope="col">Permission</th>
        <th scope="col">API keys</th>
        <th scope="col">
          <span class="visually-hidden">Actions</span>
        </th>
      </tr>
    </thead>
    <tbody>
      {props.service.permissions.map((permission) => (
        <Row {...props} permission={permission} />
      ))}
    </tbody>
  </table>
)

type PermissionProps = ServiceProps & { permission: Permission }

type Permission = RegisteredService['permissions'][number]

const scopeOf = ({ permission }: Permission): string => permission.replace(':', '.')

const Row = (props: PermissionProps) => {
  const { permission } = props
  const deleting = `delete-${scopeOf(permission)}`
  return (
    <tr id={`permission-${scopeOf(permission)}`}>
      <td data-at="title">
        <code safe>{permission.permission}</code>
        <small class="muted" safe>
          {permission.description}
        </small>
      </td>
      <td data-at="end">{permission.scope ? permission.apiKeys : 'Not for API keys'}</td>
      <td data-at="menu" class="end">
        <Button
          label={`Delete ${permission.permission}`}
          icon="trash-2"
          iconOnly
          variant="ghost"
          commandfor={deleting}
          command="show-modal"
        />
        <DeleteScope {...props} id={deleting} />
      </td>
    </tr>
  )
}

const DeleteScope = ({ service, permission, id }: PermissionProps & { id: string }) => (
  <Dialog id={id} title={`Delete ${permission.permission}?`}>
    <Form hx-delete={`/api/services/${service.id}/scopes/${scopeOf(permission)}`} {...inPlace}>
      <div class="body">
        <p>It is removed from all roles, overrides and API keys immediately. This can’t be undone.</p>
        {permission.apiKeys > 0 ? (
          <label class="check">
            <input type="checkbox" name="narrowKeys" value="true" required />
            <span safe>{`Remove it from ${counted(permission.apiKeys, 'API key')}`}</span>
          </label>
        ) : null}
      </div>
      <DialogButtons dialog={id} submit="Delete" danger focusCancel />
    </Form>
  </Dialog>
)

const newScope = 'new-scope'

const NewScope = ({ service }: ServiceProps) => (
  <Dialog id={newScope} title="Add a permission">
    <Form hx-post={`/api/services/${service.id}/scopes`} {...inPlace}>
      <div class="body">
        <TextField
          label="Scope"
          name="scope"
          hint="For example, posts.read for the permission posts:read"
          pattern="[a-z_]{1,40}\.[a-z]{1,40}"
          autocomplete="off"
          autocapitalize="none"
          spellcheck="false"
          required
          autofocus
        />
        <TextField label="Description" name="description" id="scope-description" maxlength={300} required />
        <label class="check">
          <input type="hidden" name="forKeys" value="false" />
          <input type="checkbox" name="forKeys" value="true" checked />
          <span>Available to API keys</span>
        </label>
      </div>
      <DialogButtons dialog={newScope} submit="Add" />
    </Form>
  </Dialog>
)
