import type { CatalogService } from '#identity/types'
import { Button } from '#views/ui/button.tsx'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'
import { SelectField, TextField, Form } from '#views/ui/form.tsx'
import { kinds, kindName } from './service-kinds.ts'

interface ServicesProps {
  services: CatalogService[]
}

export const Services = ({ services }: ServicesProps) => (
  <div class="page stack" style="--measure: 60rem">
    <section class="section" aria-labelledby="services">
      <header>
        <h1 id="services">Services</h1>
        <Button label="New service" icon="plus" variant="primary" commandfor={newService} command="show-modal" />
      </header>
      <ServiceTable services={services} />
    </section>
    <NewService />
  </div>
)

export const ServiceTable = ({ services }: ServicesProps) => (
  <div class="bleed">
    <table class="table" data-list>
      <caption class="visually-hidden">Services by name</caption>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Kind</th>
          <th scope="col">By</th>
          <th scope="col">In the app switcher</th>
        </tr>
      </thead>
      <tbody>
        {services.map((service) => (
          <Row service={service} />
        ))}
      </tbody>
    </table>
  </div>
)

const Row = ({ service }: { service: CatalogService }) => (
  <tr>
    <td data-at="title">
      <span class="row">
        <span class="grow">
          <a class="row-link wrap-anywhere" href={`/admin/services/${service.id}`} safe>
            {service.name}
          </a>
          <small class="wrap-anywhere" safe>
            {service.slug}
          </small>
        </span>
      </span>
    </td>
    <td data-at="end" safe>
      {kindName(service.surface_kind)}
    </td>
    <td class="wide-only">{service.firstParty ? 'This platform' : 'Third party'}</td>
    <td class="wide-only">{service.launchable ? 'Yes' : 'No'}</td>
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
