import type { CatalogService } from '#identity/types'
import { Button } from '#views/ui/button.tsx'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'
import { SelectField, TextField, Form } from '#views/ui/form.tsx'
import { StatusMark } from '#views/ui/marks.tsx'
import { PlainAppMark } from '#views/ui/page-header.tsx'
import { kinds, kindName } from './service-kinds.ts'

interface ServicesProps {
  services: CatalogService[]
}

export const Services = ({ services }: ServicesProps) => (
  <>
    <header class="page-header">
      <h1>Services</h1>
      <div class="actions">
        <Button label="New service" icon="plus" variant="primary" commandfor={newService} command="show-modal" />
      </div>
    </header>
    <div class="page">
      <ServiceTable services={services} />
    </div>
    <NewService />
  </>
)

const groups = [
  { title: 'Platform', firstParty: true },
  { title: 'Third party', firstParty: false },
]

export const ServiceTable = ({ services }: ServicesProps) => (
  <div class="bleed">
    <table class="table services" data-list data-lines="2">
      <caption class="visually-hidden">Services, sorted by name</caption>
      <thead>
        <tr>
          <th scope="col" class="c-lead">
            <span class="visually-hidden">Icon</span>
          </th>
          <th scope="col">Service</th>
          <th scope="col" class="c-kind">
            Kind
          </th>
          <th scope="col" class="c-state">
            App switcher
          </th>
        </tr>
      </thead>
      <tbody>
        {groups.map(({ title, firstParty }) => (
          <Group title={title} services={services.filter((service) => service.firstParty === firstParty)} />
        ))}
      </tbody>
    </table>
  </div>
)

const Group = ({ title, services }: ServicesProps & { title: string }) => {
  if (services.length === 0) return <></>
  return (
    <>
      <tr data-group>
        <th colspan="4" scope="colgroup">
          <span safe>{title}</span> <small class="muted">{services.length}</small>
        </th>
      </tr>
      {services.map((service) => (
        <Row service={service} />
      ))}
    </>
  )
}

const Row = ({ service }: { service: CatalogService }) => (
  <tr>
    <td data-at="lead">
      <PlainAppMark icon={service.icon} />
    </td>
    <td data-at="title">
      <a class="row-link" href={`/admin/services/${service.id}`} safe>
        {service.name}
      </a>
      <small class="mono wrap-anywhere" safe>
        {service.slug}
      </small>
    </td>
    <td class="wide-only" safe>
      {kindName(service.surface_kind)}
    </td>
    <td data-at="end">
      {service.launchable ? (
        <StatusMark state="published" icon="circle-check" word="Listed" />
      ) : (
        <StatusMark state="draft" icon="eye-off" word="Hidden" />
      )}
    </td>
  </tr>
)

const newService = 'new-service'

const NewService = () => (
  <Dialog id={newService} title="New service">
    <Form hx-post="/api/services">
      <div class="body">
        <TextField label="Name" name="name" maxlength={100} autocomplete="off" required autofocus />
        <TextField
          label="Slug"
          name="slug"
          hint="Used in the API. You can’t change it later."
          pattern="[a-z0-9][a-z0-9\-]{1,46}[a-z0-9]"
          maxlength={48}
          autocomplete="off"
          autocapitalize="none"
          spellcheck="false"
          required
        />
        <TextField label="Description" name="description" maxlength={300} autocomplete="off" required />
        <SelectField label="Kind" name="surface_kind" options={kinds} value="app" />
      </div>
      <DialogButtons dialog={newService} submit="Add service" />
    </Form>
  </Dialog>
)
